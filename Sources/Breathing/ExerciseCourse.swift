public import HeartRate

/// A guided exercise in the time of a session: rest, breathing, rest; the breathing can be paused.
///
/// A value without a clock: whoever leads it says what time it is.
public struct ExerciseCourse: Equatable, Sendable {
  /// How far it is.
  public enum Stage: Equatable, Sendable {
    /// It has not begun.
    case waiting
    /// The rest before, and how many seconds of it are left.
    case before(left: Double)
    case breathing(PacedBreathing.Position)
    case paused(PacedBreathing.Position)
    /// The rest after.
    case after(left: Double)
    case over
  }

  /// The rest before; zero for none.
  public let before: Duration
  /// What the pacer leads through.
  public let breathing: PacedBreathing
  /// The rest after; zero for none.
  public let after: Duration
  /// When it began; nil until then.
  public private(set) var start: SessionTime?
  private var pauses: [(from: Int64, to: Int64?)] = []
  private var markedSoFar = 0
  private var brokenOff: SessionTime?

  public init(before: Duration, breathing: PacedBreathing, after: Duration) {
    (self.before, self.breathing, self.after) = (before, breathing, after)
  }

  public static func == (a: ExerciseCourse, b: ExerciseCourse) -> Bool {
    a.before == b.before && a.breathing == b.breathing && a.after == b.after && a.start == b.start
      && a.pauses.elementsEqual(b.pauses) { $0 == $1 } && a.markedSoFar == b.markedSoFar
      && a.brokenOff == b.brokenOff
  }

  /// How long it takes without pauses.
  public var length: Duration { before + Duration(ticks: breathing.ticks) + after }

  /// It begins at `time`, once.
  public mutating func begin(at time: SessionTime) { start = start ?? time }

  /// Where it stands at `time`.
  public func stage(at time: SessionTime) -> Stage {
    if let brokenOff, time >= brokenOff { return .over }
    guard let start, time >= start else { return .waiting }
    let since = time.ticks - start.ticks
    guard since >= before.ticks else { return .before(left: seconds(before.ticks - since)) }
    let elapsed = elapsed(at: time)
    if let position = breathing.position(at: elapsed) {
      return isPaused(at: time) ? .paused(position) : .breathing(position)
    }
    let recovered = elapsed - breathing.ticks
    return recovered < after.ticks ? .after(left: seconds(after.ticks - recovered)) : .over
  }

  /// Stops the pacer where it is; only while it leads. False when there was nothing to pause.
  public mutating func pause(at time: SessionTime) -> Bool {
    guard case .breathing = stage(at: time) else { return false }
    pauses.append((time.ticks, nil))
    return true
  }

  /// Goes on where it stopped. False when it was not paused.
  public mutating func resume(at time: SessionTime) -> Bool {
    guard let last = pauses.indices.last, pauses[last].to == nil, time.ticks >= pauses[last].from else {
      return false
    }
    pauses[last].to = time.ticks
    return true
  }

  /// It is over at `time`, wherever it stands, in a session that goes on. Nothing where it was over before.
  public mutating func breakOff(at time: SessionTime) {
    if stage(at: time) != .over { brokenOff = time }
  }

  /// The marks up to `time` that were not asked for before, in their order.
  public mutating func marks(through time: SessionTime) -> [(at: SessionTime, mark: ExerciseMark)] {
    let due = allMarks.prefix { $0.at <= time }
    defer { markedSoFar = max(markedSoFar, due.count) }
    return Array(due.dropFirst(markedSoFar))
  }

  private func seconds(_ ticks: Int64) -> Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }

  private func isPaused(at time: SessionTime) -> Bool {
    pauses.contains { time.ticks >= $0.from && time.ticks < $0.to ?? .max }
  }

  /// Ticks of breathing, and of the rest after it, that are over at `time`; pauses do not count.
  private func elapsed(at time: SessionTime) -> Int64 {
    let paused = pauses.reduce(0) { $0 + max(0, min(time.ticks, $1.to ?? .max) - $1.from) }
    return time.ticks - breathingStart - paused
  }

  private var breathingStart: Int64 { (start?.ticks ?? 0) + before.ticks }

  /// When `elapsed` ticks of breathing are over; nil as long as it is paused before that.
  private func time(ofElapsed elapsed: Int64) -> SessionTime? {
    var time = breathingStart + elapsed
    for pause in pauses where pause.from < time {
      guard let end = pause.to else { return nil }
      time += end - pause.from
    }
    return SessionTime(ticks: time)
  }

  /// All that can be known by now, in the order of their times.
  private var allMarks: [(at: SessionTime, mark: ExerciseMark)] {
    guard let brokenOff else { return plannedMarks }
    let marks = plannedMarks.filter { $0.at <= brokenOff }
    func isThere(_ mark: ExerciseMark) -> Bool { marks.contains { $0.mark == mark } }
    // What goes on, ends: what comes after it in the session is no part of the exercise.
    let ends: [ExerciseMark] =
      isThere(.breathingBegins) && !isThere(.breathingEnds) ? [.breathingEnds, .restEnds] : [.restEnds]
    return marks + (marks.isEmpty || isThere(.restEnds) ? [] : ends.map { (brokenOff, $0) })
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
    // Stable: marks of one moment stay in this order.
    return marks.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(
      \.element)
  }
}
