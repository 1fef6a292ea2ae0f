package import HeartRate

/// The state of a guided exercise in session time: rest, breathing (can be paused), rest.
///
/// A value type without a clock: the caller passes the current time.
package struct ExerciseCourse: Equatable, Sendable {
  /// The current stage.
  package enum Stage: Equatable, Sendable {
    /// Not started.
    case waiting
    /// The rest before the breathing: the remaining seconds, and its length in seconds.
    case before(left: Double, of: Double)
    case breathing(PacedBreathing.Position)
    case paused(PacedBreathing.Position)
    /// The rest after the breathing, likewise.
    case after(left: Double, of: Double)
    case over
  }

  /// Duration of the rest before the breathing; zero for none.
  package let before: Duration
  /// The breathing that the pacer guides.
  package let breathing: PacedBreathing
  /// Duration of the rest after the breathing; zero for none.
  package let after: Duration
  /// Start time, once the exercise has started.
  package private(set) var start: SessionTime?
  private var pauses: [(from: Int64, to: Int64?)] = []
  private var markedSoFar = 0
  private var brokenOff: SessionTime?

  package init(before: Duration, breathing: PacedBreathing, after: Duration) {
    (self.before, self.breathing, self.after) = (before, breathing, after)
  }

  package static func == (a: ExerciseCourse, b: ExerciseCourse) -> Bool {
    a.before == b.before && a.breathing == b.breathing && a.after == b.after && a.start == b.start
      && a.pauses.elementsEqual(b.pauses) { $0 == $1 } && a.markedSoFar == b.markedSoFar
      && a.brokenOff == b.brokenOff
  }

  /// Total duration without pauses.
  package var length: Duration { before + Duration(ticks: breathing.ticks) + after }

  /// Starts the exercise at `time`; has no effect if it has already started.
  package mutating func begin(at time: SessionTime) { start = start ?? time }

  /// Time of the end. Unknown before the start and while the pacer is paused.
  package var end: SessionTime? {
    brokenOff ?? start.flatMap { _ in time(ofElapsed: breathing.ticks + after.ticks) }
  }

  /// Returns the stage at `time`.
  package func stage(at time: SessionTime) -> Stage {
    if let brokenOff, time >= brokenOff { return .over }
    guard let start, time >= start else { return .waiting }
    let since = time.ticks - start.ticks
    guard since >= before.ticks else {
      return .before(left: seconds(before.ticks - since), of: seconds(before.ticks))
    }
    let elapsed = elapsed(at: time)
    if let position = breathing.position(at: elapsed) {
      return isPaused(at: time) ? .paused(position) : .breathing(position)
    }
    let recovered = elapsed - breathing.ticks
    guard recovered < after.ticks else { return .over }
    return .after(left: seconds(after.ticks - recovered), of: seconds(after.ticks))
  }

  /// Pauses the pacer. Returns false, without an effect, if the pacer is not running.
  package mutating func pause(at time: SessionTime) -> Bool {
    guard case .breathing = stage(at: time) else { return false }
    pauses.append((time.ticks, nil))
    return true
  }

  /// Resumes the pacer. Returns false, without an effect, if it is not paused.
  package mutating func resume(at time: SessionTime) -> Bool {
    guard let last = pauses.indices.last, pauses[last].to == nil, time.ticks >= pauses[last].from else {
      return false
    }
    pauses[last].to = time.ticks
    return true
  }

  /// Ends the exercise at `time`, in any stage; the session continues. Has no effect after the end.
  package mutating func interrupt(at time: SessionTime) {
    if stage(at: time) != .over { brokenOff = time }
  }

  /// Returns the marks up to `time` that were not returned before, in order.
  package mutating func marks(through time: SessionTime) -> [(at: SessionTime, mark: ExerciseMark)] {
    let due = allMarks.prefix { $0.at <= time }
    defer { markedSoFar = max(markedSoFar, due.count) }
    return Array(due.dropFirst(markedSoFar))
  }

  private func seconds(_ ticks: Int64) -> Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }

  private func isPaused(at time: SessionTime) -> Bool {
    pauses.contains { time.ticks >= $0.from && time.ticks < $0.to ?? .max }
  }

  /// Returns the elapsed ticks of breathing, and of the rest after it, without pauses.
  private func elapsed(at time: SessionTime) -> Int64 {
    let paused = pauses.reduce(0) { $0 + max(0, min(time.ticks, $1.to ?? .max) - $1.from) }
    return time.ticks - breathingStart - paused
  }

  private var breathingStart: Int64 { (start?.ticks ?? 0) + before.ticks }

  /// Returns the time at which `elapsed` ticks of breathing have elapsed. It is unknown while a pause before that has not
  /// ended.
  private func time(ofElapsed elapsed: Int64) -> SessionTime? {
    var time = breathingStart + elapsed
    for pause in pauses where pause.from < time {
      guard let end = pause.to else { return nil }
      time += end - pause.from
    }
    return SessionTime(ticks: time)
  }

  /// All marks known so far, in order.
  private var allMarks: [(at: SessionTime, mark: ExerciseMark)] {
    guard let brokenOff else { return plannedMarks }
    let marks = plannedMarks.filter { $0.at <= brokenOff }
    func contains(_ mark: ExerciseMark) -> Bool { marks.contains { $0.mark == mark } }
    // Ends the current stage, because the rest of the session is not part of the exercise.
    let ends: [ExerciseMark] =
      contains(.breathingBegins) && !contains(.breathingEnds) ? [.breathingEnds, .restEnds] : [.restEnds]
    return marks + (marks.isEmpty || contains(.restEnds) ? [] : ends.map { (brokenOff, $0) })
  }

  private var plannedMarks: [(at: SessionTime, mark: ExerciseMark)] {
    guard let start else { return [] }
    var marks: [(at: SessionTime, mark: ExerciseMark)] = []
    func add(_ mark: ExerciseMark, _ time: SessionTime?) { if let time { marks.append((time, mark)) } }
    if before > .zero { add(.restBegins, start) }
    add(.breathingBegins, time(ofElapsed: 0))
    for (stretch, start) in zip(breathing.stretches, breathing.starts) {
      add(.pattern(stretch.pattern), time(ofElapsed: start))
    }
    for pause in pauses {
      add(.paused, SessionTime(ticks: pause.from))
      add(.resumed, pause.to.map { SessionTime(ticks: $0) })
    }
    add(.breathingEnds, time(ofElapsed: breathing.ticks))
    add(.restEnds, time(ofElapsed: breathing.ticks + after.ticks))
    // A stable sort: marks with equal times keep this order.
    return marks.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
      \.element)
  }
}
