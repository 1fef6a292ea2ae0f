import Breathing
import HeartRate
import Simulator
import Synchronization

/// Leads a person through an exercise while a session runs: one clock for the pacer on show, the marks in the session and
/// the simulated person who follows. Used from the thread of the events and from the one that draws.
final class Guide: Sendable {
  private struct State {
    var course: ExerciseCourse
    /// The last time of the session that is known, and when it was that.
    var known = SessionTime.zero
    var knownAt = ContinuousClock.now
    var last = SessionTime.zero
    var hasQuit = false
  }

  /// How fast the session's time passes between its events; nil where it passes with them alone.
  private let speed: Double?
  private let state: Mutex<State>

  init(_ course: ExerciseCourse, speed: Double? = 1) {
    state = Mutex(State(course: course))
    self.speed = speed
  }

  /// Begins without waiting for a beat.
  func begin() { state.withLock { $0.course.begin(at: .zero) } }

  /// Where the exercise stands, and how long after the beginning of the session that is.
  var moment: (stage: ExerciseCourse.Stage, time: SessionTime) {
    state.withLock { state in
      let time = time(state)
      return (state.course.stage(at: time), time)
    }
  }

  /// Takes what comes next in the session, and gives the marks that come before it.
  func take(_ event: SessionEvent) -> (marks: [SessionEvent], isOver: Bool) {
    state.withLock { state in
      (state.known, state.knownAt) = (max(state.known, event.at), .now)
      if event.hasBeat { state.course.begin(at: event.at) }
      let marks = state.course.marks(through: event.at).map { at, mark in
        state.last = max(state.last, at)
        return SessionEvent(
          at: state.last, wall: event.wall?.advanced(ticks: state.last.ticks - event.at.ticks),
          .mark(mark.text))
      }
      state.last = max(state.last, event.at)
      return (marks, state.course.stage(at: event.at) == .over)
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
      let now = time(state)
      if !state.course.pause(at: now) { _ = state.course.resume(at: now) }
    }
  }

  /// The person has had enough.
  func quit() { state.withLock { $0.hasQuit = true } }

  /// Waits until the person has had enough, or it is cancelled.
  @Sendable func untilQuit() async {
    while !state.withLock({ $0.hasQuit }) {
      do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
    }
  }

  /// Waits until the exercise is over.
  func untilOver() async throws {
    while moment.stage != .over { try await Task.sleep(for: .milliseconds(50)) }
  }

  private func time(_ state: borrowing State) -> SessionTime {
    guard let speed else { return state.known }
    let passed = Double(state.knownAt.duration(to: .now).ticks) * speed
    return SessionTime(ticks: state.known.ticks + Int64(min(passed, 1e17)))
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
