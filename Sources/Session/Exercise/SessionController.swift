package import Breathing
package import HeartRate
import History
package import LiveSession
import Platform
import Simulator
import Stress

/// Inserts marks into a session, and guides exercises during it.
///
/// Called from the thread of the events and from that of the keys.
package final class SessionController: SessionSink, Sendable {
  /// An exercise that is being guided.
  package struct Exercise: Sendable {
    package let guide: ExerciseGuide
    package let recorder: ExerciseRecorder
    /// Whether an event after the end of the exercise was processed.
    package fileprivate(set) var isDone = false

    package init(_ guide: ExerciseGuide, _ recorder: ExerciseRecorder) {
      (self.guide, self.recorder) = (guide, recorder)
    }
  }

  private struct State {
    var clock: SessionClock
    /// Marks to insert before the next event.
    var pending: [SessionEvent] = []
    var marks = 0
    var last = SessionTime.zero
    var hasData = false
    /// The latest events without marks. The first beats of an exercise are classified with the beats before them.
    var recent: [SessionEvent] = []
    var exercise: Exercise?
  }

  /// Whether the whole session is one exercise, which ends it.
  package let isExerciseSession: Bool
  package let inserter = EventInserter()
  private let speed: Double?
  private let state: Locked<State>

  /// At least this number of the latest events is kept (minutes of beats), and at most twice as many.
  private static let recentCount = 512
  /// How long a mark waits for the next event. Events that arrived before the mark are then processed before it, and the
  /// recording contains it within a second.
  private static let markDelay = Duration.milliseconds(300)

  /// - Parameter speed: Speed at which session time passes between events, or `nil` to let it pass with the events only.
  package init(speed: Double?) {
    isExerciseSession = false
    self.speed = speed
    state = Locked(State(clock: SessionClock(speed: speed)))
  }

  /// The controller of a session that is an exercise.
  package init(guiding exercise: Exercise) {
    isExerciseSession = true
    speed = nil
    state = Locked(State(clock: SessionClock(speed: nil), exercise: exercise))
  }

  package func receive(_ update: SessionUpdate) -> SinkDecision {
    switch update {
    case .upcoming(let event): inserter.insert(marks(before: event))
    case .event(let event):
      exercise?.recorder.receive(update)
      return noteProcessed(event)
    case .part: exercise?.recorder.receive(update)
    case .measurement, .sensorClass, .motion, .ecg, .notice, .processed: break
    }
    return .proceed
  }

  /// The exercise that is being guided.
  package var exercise: Exercise? { state.withLock { $0.exercise } }

  /// How a simulated person breathes at a time of paced breathing.
  func breath(at time: SessionTime) -> Sitting.Breath? { exercise?.guide.breath(at: time) }

  // MARK: Events

  /// Removes and returns the marks that precede an event. At the end of the session, an exercise that does not fill the
  /// session is interrupted.
  private func marks(before event: SessionEvent) -> [SessionEvent] {
    state.withLock { state in
      if case .end = event.kind {
        let closing = isExerciseSession ? [] : state.exercise?.guide.interrupt() ?? []
        return Self.ordered(&state, closing, until: event.at)
      }
      state.clock.update(event)
      if case .notification = event.kind { state.hasData = true }
      if state.recent.count >= 2 * Self.recentCount { state.recent.removeFirst(Self.recentCount) }
      state.recent.append(event)
      let marks = state.exercise?.guide.marks(before: event) ?? []
      defer { state.last = max(state.last, event.at) }
      return Self.ordered(&state, marks, until: event.at)
    }
  }

  /// Removes the pending marks and returns them with `others` in the order of their times, which are limited to the time
  /// between the last event and the next.
  private static func ordered(
    _ state: inout State, _ others: [SessionEvent], until next: SessionTime
  ) -> [SessionEvent] {
    guard !state.pending.isEmpty || !others.isEmpty else { return [] }
    let marks = (state.pending + others).map { mark in
      var mark = mark
      mark.at = min(max(mark.at, state.last), next)
      return mark
    }
    state.pending = []
    return marks.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  private func noteProcessed(_ event: SessionEvent) -> SinkDecision {
    guard let exercise, !event.isMark, exercise.guide.isOver(at: event.at) else { return .proceed }
    if isExerciseSession { return .stop(.complete) }
    state.withLock { $0.exercise?.isDone = true }
    return .proceed
  }

  /// Inserts the pending marks unless an event does so first.
  private func insertPendingLater() {
    Task {
      try await Task.sleep(for: Self.markDelay)
      inserter.insert(
        state.withLock { state in
          let marks = Self.ordered(&state, [], until: SessionTime(ticks: .max))
          state.last = marks.last?.at ?? state.last
          return marks
        })
    }
  }

  // MARK: Keys

  /// A mark of the current time.
  package struct Mark: Sendable {
    /// Counts from 1.
    package let number: Int
    package let event: SessionEvent
    /// `mark 3`, followed by the note.
    package let text: String
    /// Whether the session has received data. A session without data is not stored.
    package let isInSessionWithData: Bool
  }

  /// Inserts a mark at the current time.
  /// - Parameter note: one line of text.
  package func mark(note: String? = nil) -> Mark {
    let mark = state.withLock { state in
      state.marks += 1
      let at = max(state.clock.now, state.last)
      let text = "mark \(state.marks)" + (note.map { ": \($0)" } ?? "")
      let event = SessionEvent(at: at, wall: state.clock.wall(at: at), .mark(text))
      state.pending.append(event)
      return Mark(
        number: state.marks, event: event, text: text, isInSessionWithData: state.hasData)
    }
    insertPendingLater()
    return mark
  }

  /// Inserts an event of an experiment: a mark with exactly this text.
  /// - Parameter wall: the time of the event; by default the current one. A time before the last event of the session is moved to it.
  /// - Returns: the mark; `nil` if the time differs from the current one by more than ``eventReach``.
  package func mark(text: String, wall: WallTime?) -> Mark? {
    let mark: Mark? = state.withLock { state in
      let now = max(state.clock.now, state.last)
      guard let requested = wall.map(state.clock.time) ?? now,
        abs(requested.ticks - now.ticks) <= Self.eventReach.ticks
      else { return nil }
      let at = max(requested, state.last)
      let event = SessionEvent(at: at, wall: state.clock.wall(at: at), .mark(text))
      state.pending.append(event)
      return Mark(number: state.marks, event: event, text: text, isInSessionWithData: state.hasData)
    }
    if mark != nil { insertPendingLater() }
    return mark
  }

  /// The longest time between an event and its arrival.
  private static let eventReach = Duration.seconds(10)

  /// Starts to guide an exercise in the running session.
  package func start(_ course: ExerciseCourse) -> Exercise {
    state.withLock { state in
      let exercise = Exercise(
        ExerciseGuide(course, speed: speed), ExerciseRecorder(events: state.recent.filter { !$0.isMark }))
      state.exercise = exercise
      return exercise
    }
  }

  /// Ends the exercise and returns its events.
  package func finishExercise() -> [SessionEvent] {
    let events = state.withLock { state in
      guard let exercise = state.exercise else { return [SessionEvent]() }
      let closing = exercise.guide.interrupt()
      state.pending += closing
      state.exercise = nil
      return exercise.recorder.events + closing
    }
    insertPendingLater()
    return events
  }
}

extension SessionEvent {
  fileprivate var isMark: Bool { if case .mark = kind { true } else { false } }
}
