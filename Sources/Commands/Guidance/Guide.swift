import Breathing
import HeartRate
import Simulator
import Synchronization

/// Leads a person through an exercise while a session runs: one clock for the pacer on show, the marks in the session and
/// the simulated person who follows. Used from the thread of the events and from the one that draws.
final class Guide: MarkSource {
  private struct State {
    var course: ExerciseCourse
    var clock: SessionClock
    var last = SessionTime.zero
    var hasQuit = false
  }

  let leadsWholeSession = true
  private let state: Mutex<State>

  /// - Parameter speed: How fast the session's time passes between its events; nil where it passes with them alone.
  init(_ course: ExerciseCourse, speed: Double? = 1) {
    state = Mutex(State(course: course, clock: SessionClock(speed: speed)))
  }

  /// How long a session lasts that it leads through without a pause, from a simulated strap's start to its first beat, and a
  /// little longer.
  var expectedLength: Duration { state.withLock { $0.course.length } + .seconds(5) }

  /// Begins without waiting for a beat.
  func begin() { state.withLock { $0.course.begin(at: .zero) } }

  /// Where the exercise stands, and how long after the beginning of the session that is.
  var moment: (stage: ExerciseCourse.Stage, time: SessionTime) {
    state.withLock { state in
      let time = state.clock.now
      return (state.course.stage(at: time), time)
    }
  }

  /// Whether it is over for what happens at `time`.
  func isOver(at time: SessionTime) -> Bool { state.withLock { $0.course.stage(at: time) == .over } }

  /// Takes what comes next in the session, and gives the marks that come before it.
  func take(_ event: SessionEvent) -> (marks: [SessionEvent], isOver: Bool) {
    state.withLock { state in
      state.clock.take(event)
      if event.hasBeat { state.course.begin(at: event.at) }
      let marks = Self.marks(&state, through: event.at)
      state.last = max(state.last, event.at)
      return (marks, state.course.stage(at: event.at) == .over)
    }
  }

  /// In a session that is an exercise, one that is broken off ends with the session.
  func remainingMarks() -> [SessionEvent] { [] }

  /// Ends the exercise here, in a session that goes on; gives the marks that say so, none where it was over.
  func interrupt() -> [SessionEvent] {
    state.withLock { state in
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

  /// How a simulated person breathes at a time; nil where it is not led.
  func breath(at time: SessionTime) -> Sitting.Breath? {
    guard case .breathing(let position) = state.withLock({ $0.course.stage(at: time) }) else { return nil }
    return Sitting.Breath(phase: position.breath, rate: position.pattern.rate)
  }

  /// Stops the pacer, or lets it go on.
  func pauseOrResume() {
    state.withLock { state in
      let now = state.clock.now
      if !state.course.pause(at: now) { _ = state.course.resume(at: now) }
    }
  }

  /// The person has had enough.
  func quit() { state.withLock { $0.hasQuit = true } }

  var hasQuit: Bool { state.withLock { $0.hasQuit } }

  /// Waits until the person has had enough, or it is cancelled.
  @Sendable func untilQuit() async {
    while !hasQuit {
      do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
    }
  }

  /// Waits until the exercise is over.
  func untilOver() async throws {
    while moment.stage != .over { try await Task.sleep(for: .milliseconds(50)) }
  }
}

extension SessionEvent {
  /// Whether it tells of a beat.
  fileprivate var hasBeat: Bool {
    switch kind {
    case .notification(let payload):
      (try? HeartRateMeasurement(payload: payload)).map { !$0.rrIntervals.isEmpty } ?? false
    case .interval: true
    case .link, .battery, .mark, .end: false
    }
  }
}
