import Breathing
import HeartRate
import History
import Localization
import Platform
import Reports
import Simulator
import Synchronization
import Terminal

/// What the person at the keys puts into a session while it goes on: marks, and exercises that lead through some minutes
/// of it.
final class SessionController: MarkSource {
  /// Whose session it is, and where it is stored.
  struct Subject: Sendable {
    let plan: SessionPlan
    /// Nil where nothing is stored.
    let location: StoreLocation?
  }

  /// An exercise that is led just now.
  struct Led: Sendable {
    let exercise: GuidedExercise
    let guide: Guide
    let heart: GuidedHeart
    /// Whether its end and what came with it have passed.
    fileprivate(set) var isDone = false
  }

  private struct State {
    var clock: SessionClock
    var subject: Subject?
    /// Marks that come before the next event.
    var waiting: [SessionEvent] = []
    var marks = 0
    var last = SessionTime.zero
    var hasData = false
    /// What came last, without marks: the neighbours of the first beats of an exercise, by which those are judged.
    var recent: [SessionEvent] = []
    var led: Led?
  }

  let leadsWholeSession = false
  private let speed: Double?
  private let state: Mutex<State>
  private let marked = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  /// The newest so many events are always there, and at most twice as many: minutes of beats.
  private static let recentKept = 512

  init(speed: Double?) {
    self.speed = speed
    state = Mutex(State(clock: SessionClock(speed: speed)))
  }

  var subject: Subject? {
    get { state.withLock { $0.subject } }
    set { state.withLock { $0.subject = newValue } }
  }

  // MARK: In the session

  func take(_ event: SessionEvent) -> (marks: [SessionEvent], isOver: Bool) {
    state.withLock { state in
      state.clock.take(event)
      if case .notification = event.kind { state.hasData = true }
      if state.recent.count >= 2 * Self.recentKept { state.recent.removeFirst(Self.recentKept) }
      state.recent.append(event)
      let led = state.led?.guide.take(event).marks ?? []
      defer { state.last = max(state.last, event.at) }
      return (Self.inOrder(&state, led, until: event.at), false)
    }
  }

  func remainingMarks() -> [SessionEvent] {
    state.withLock { state in
      Self.inOrder(&state, state.led?.guide.interrupt() ?? [], until: SessionTime(ticks: .max))
    }
  }

  /// How long a mark waits for the next event: what arrived before it has then come through, so that the two keep their
  /// order; and the recording still has it within a second.
  private static let patience = Duration.milliseconds(300)

  func deliverLateMarks(_ body: @Sendable (SessionEvent) -> Void) async {
    for await _ in marked.stream {
      do { try await Task.sleep(for: Self.patience) } catch { return }
      takeWaiting().forEach(body)
    }
  }

  private func takeWaiting() -> [SessionEvent] {
    state.withLock { state in
      let marks = Self.inOrder(&state, [], until: SessionTime(ticks: .max))
      state.last = marks.last?.at ?? state.last
      return marks
    }
  }

  func breath(at time: SessionTime) -> Sitting.Breath? {
    state.withLock { $0.led?.guide }?.breath(at: time)
  }

  /// Those that wait and `others`, in the order of their times; none lies before the last event or after the next.
  private static func inOrder(
    _ state: inout State, _ others: [SessionEvent], until next: SessionTime
  ) -> [SessionEvent] {
    let marks = (state.waiting + others).map { mark in
      var mark = mark
      mark.at = min(max(mark.at, state.last), next)
      return mark
    }
    state.waiting = []
    return marks.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  // MARK: At the keys

  /// Marks this moment in the session and, where that is stored, in the journal.
  func mark() -> LiveMessage {
    let (number, event, session, subject) = state.withLock { state in
      state.marks += 1
      let at = max(state.clock.now, state.last)
      let event = SessionEvent(at: at, wall: state.clock.wall(at: at), .mark("mark \(state.marks)"))
      state.waiting.append(event)
      // A session without data is not kept, and an entry about it would go with it.
      return (state.marks, event, state.hasData ? state.subject?.plan.id : nil, state.subject)
    }
    marked.continuation.yield()
    let journal = Self.writeDown(event, session: session, subject)
    return .marked(number: number, at: event.at, journal)
  }

  private static func writeDown(
    _ mark: SessionEvent, session: SessionID?, _ subject: Subject?
  ) -> LiveMessage.Journal {
    guard let subject, let location = subject.location, case .mark(let text) = mark.kind else {
      return .nothingIsStored
    }
    let time = mark.wall ?? SystemClock.wall
    let entry = JournalEntry(
      profile: subject.plan.profile, time: time, utcOffset: LocalCalendar.system.utcOffset(time),
      session: session, note: "\(text), \(clockText(seconds: mark.at.seconds)) into the session")
    do { return .entry(try HistoryWriter(location).addToJournal(entry).id) } catch {
      return .failed("\(error)")
    }
  }

  /// Begins to lead through `exercise`, on top of what `live` shows.
  func begin(_ exercise: GuidedExercise, live: LiveState) -> Led {
    state.withLock { state in
      let led = Led(
        exercise: exercise, guide: Guide(exercise.course, speed: speed),
        heart: GuidedHeart(live: live, events: state.recent.filter { !$0.isMark }))
      state.led = led
      return led
    }
  }

  var led: Led? { state.withLock { $0.led } }

  /// An event has gone through the session.
  func hasPassed(_ event: SessionEvent) {
    guard let led else { return }
    led.heart.take(event)
    guard !event.isMark, led.guide.isOver(at: event.at) else { return }
    state.withLock { $0.led?.isDone = true }
  }

  /// Ends the exercise where it stands, and gives what it came to: nil where it ended before the breathing began.
  func finish() -> BreathingResult? {
    let (led, closing) = state.withLock { state in
      let led = state.led
      let closing = led?.guide.interrupt() ?? []
      state.waiting += closing
      state.led = nil
      return (led, closing)
    }
    marked.continuation.yield()
    guard let led, let subject else { return nil }
    let about = BreathingResult.Session(subject.plan, isStored: subject.location != nil, led.heart.live.strap)
    return led.exercise.result(led.heart.events + closing, about)
  }
}

extension SessionEvent {
  fileprivate var isMark: Bool { if case .mark = kind { true } else { false } }
}
