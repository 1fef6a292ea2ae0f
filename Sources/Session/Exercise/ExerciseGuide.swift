package import Breathing
package import HeartRate
import Platform
import Simulator

/// The progress of a guided exercise: one clock for the pacer on the display, the marks in the session and the simulated
/// person.
///
/// Called from the thread of the events and from that of the display.
package final class ExerciseGuide: Sendable {
  private struct State {
    var course: ExerciseCourse
    var clock: SessionClock
    var last = SessionTime.zero
    var hasQuit = false
  }

  private let speed: Double?
  private let state: Locked<State>
  private let changed = ChangeSignal()

  /// - Parameter speed: Speed at which session time passes between events. If omitted, it passes with the events only.
  package init(_ course: ExerciseCourse, speed: Double? = 1) {
    self.speed = speed
    state = Locked(State(course: course, clock: SessionClock(speed: speed)))
  }

  /// Length of a session that consists of the exercise without pauses. Includes 5 s for the first beat.
  package var expectedLength: Duration { state.withLock { $0.course.length } + .seconds(5) }

  /// Starts without waiting for a beat.
  package func start() { change { $0.course.begin(at: .zero) } }

  /// The stage of the exercise, and the session time.
  package var moment: (stage: ExerciseCourse.Stage, time: SessionTime) {
    state.withLock { state in
      let time = state.clock.now
      return (state.course.stage(at: time), time)
    }
  }

  package func isOver(at time: SessionTime) -> Bool { state.withLock { $0.course.stage(at: time) == .over } }

  /// Returns the marks that precede the event.
  package func marks(before event: SessionEvent) -> [SessionEvent] {
    change { state in
      state.clock.update(event)
      if event.hasBeat { state.course.begin(at: event.at) }
      let marks = Self.marks(&state, through: event.at)
      state.last = max(state.last, event.at)
      return marks
    }
  }

  /// Ends the exercise in a session that continues. Returns the closing marks; none if it was over.
  func interrupt() -> [SessionEvent] {
    change { state in
      let now = max(state.clock.now, state.last)
      state.course.interrupt(at: now)
      return Self.marks(&state, through: now)
    }
  }

  private static func marks(_ state: inout State, through time: SessionTime) -> [SessionEvent] {
    state.course.marks(through: time).map { at, mark in
      state.last = max(state.last, at)
      return SessionEvent(at: state.last, wall: state.clock.wall(at: state.last), .mark(mark.text))
    }
  }

  /// How a simulated person breathes at a time of the paced breathing. Other stages do not prescribe it.
  func breath(at time: SessionTime) -> Sitting.Breath? {
    guard case .breathing(let position) = state.withLock({ $0.course.stage(at: time) }) else { return nil }
    return Sitting.Breath(phase: position.breath, rate: position.pattern.rate)
  }

  /// Pauses the exercise, or resumes it.
  package func pauseOrResume() {
    change { state in
      let now = state.clock.now
      if !state.course.pause(at: now) { _ = state.course.resume(at: now) }
    }
  }

  package func quit() { change { $0.hasQuit = true } }

  package var hasQuit: Bool { state.withLock { $0.hasQuit } }

  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    defer { changed.notify() }
    return state.withLock { body(&$0) }
  }
}

// MARK: Waiting

extension ExerciseGuide {
  /// Waits until the user quits, or the task is cancelled.
  @Sendable package func untilQuit() async {
    let changes = changed.changes()
    if hasQuit { return }
    for await _ in changes where hasQuit { return }
  }

  /// Waits until the exercise is over.
  /// - Throws: `CancellationError`.
  package func untilOver() async throws {
    while true {
      let changes = changed.changes()
      guard let rest = state.withLock({ Self.realTimeUntilEnd($0, speed) }) else { return }
      await ChangeSignal.wait(for: changes, atMost: rest)
      try Task.checkCancellation()
    }
  }

  /// The time to wait, unless the exercise is over. An hour while the end is not known; a change then ends the wait.
  private static func realTimeUntilEnd(_ state: borrowing State, _ speed: Double?) -> Duration? {
    let now = state.clock.now
    guard state.course.stage(at: now) != .over else { return nil }
    guard let end = state.course.end, let speed, speed > 0 else { return .seconds(3600) }
    return max(.milliseconds(1), Duration(ticks: end.ticks - now.ticks) / speed)
  }
}

extension SessionEvent {
  /// Whether the event contains a beat.
  fileprivate var hasBeat: Bool {
    switch kind {
    case .notification(let payload):
      (try? HeartRateMeasurement(payload: payload)).map { !$0.rrIntervals.isEmpty } ?? false
    case .interval: true
    case .link, .battery, .sensorFrame, .stream, .mark, .end: false
    }
  }
}
