import Glibc
import HeartRate
import History
import Localization
import Platform
import Reports
import Session
import Terminal

/// Performs the actions of the keys that are pressed during a session.
final class LiveKeyboard: Sendable {
  /// The exercise that a key starts, and how it is displayed.
  struct GuidedExerciseOptions: Sendable {
    /// Evaluated when the exercise starts, because it reads the variability of the person's rests from the history.
    let exercise: @Sendable () -> GuidedExercise
    let form: GuideDisplay.Form
  }

  /// One for each session; empty for a replay.
  let controllers: [SessionController]
  private let keys: TerminalKeys
  private let display: any KeyDisplay
  /// Nil when the session is spoken.
  private let screen: Screen?
  private let exercise: GuidedExerciseOptions?
  /// The sessions of other processes that are shown instead of those of this process.
  private let attached: AttachedSessions?
  private let quitting = AsyncStream<Void>.makeStream()
  private let sessions = Locked<[SessionMember]>([])
  private let stored = Locked(0)
  private let isEnding = Locked(false)

  init(
    _ keys: TerminalKeys, _ screen: Screen, controllers: [SessionController] = [],
    exercise: GuidedExerciseOptions? = nil, attached: AttachedSessions? = nil
  ) {
    (self.keys, display, self.screen, self.exercise) = (keys, screen, screen, exercise)
    self.attached = attached
    self.controllers = controllers
  }

  init(
    _ keys: TerminalKeys, speaking display: SpokenKeys, controllers: [SessionController] = []
  ) {
    (self.keys, self.display, screen, exercise) = (keys, display, nil, nil)
    attached = nil
    self.controllers = controllers
  }

  /// The sessions, in the order of ``controllers``. Set before they start.
  var members: [SessionMember] {
    get { sessions.withLock { $0 } }
    set { sessions.withLock { $0 = newValue } }
  }

  /// Number of exercises that were stored in the history.
  var storedExercises: Int { stored.withLock { $0 } }

  /// Waits until the quit key is pressed, or the task is cancelled.
  @Sendable func untilQuit() async {
    for await _ in quitting.stream { return }
  }

  /// Handles keys until the task is cancelled.
  func run() async throws {
    for await _ in keys.changes() {
      for key in keys.pressed() { try await handle(key) }
      try display.redraw()
    }
  }

  /// After the first `q`, only a second one and SIGINT have an effect.
  private func handle(_ key: Character) async throws {
    let key = LiveKey(key, of: display.keys)
    guard !isEnding.withLock({ $0 }) else {
      if key == .quit { endNow() }
      return
    }
    guard !display.closePage(), let key else { return }
    switch key {
    case .help: try display.showHelp()
    case .pause: screen?.pauseOrResume()
    case .window: if let screen { try display.show(.window(screen.switchSpan())) }
    case .mark: if let attached { try display.show(await attached.mark()) } else { try mark() }
    case .breathe: if let screen { try await guideExercise(on: screen) }
    case .quit: try end()
    case .next: attached?.showNext()
    case .leave: quitting.continuation.yield()
    }
  }

  private func end() throws {
    isEnding.withLock { $0 = true }
    TerminalSignalHandlers.endOnInterrupt()
    try display.show(.ending)
    quitting.continuation.yield()
  }

  /// Ends the process without waiting for the strap or the disk, as SIGINT does by default.
  private func endNow() -> Never {
    keys.close()
    Interruption(signal: SIGINT).endProcess()
  }

  // MARK: Marks

  private func mark() throws {
    let messages = controllers.indices.map { index in
      let marker = SessionMarker(controllers[index], members[index].plan, history: members[index].setup.store)
      let mark = marker.mark()
      return LiveMessage.marked(number: mark.number, at: mark.at, LiveMessage.Journal(mark.journal))
    }
    guard let first = messages.first else { return }
    let failure = messages.first(where: \.isFailure) ?? first
    if messages.count > 1, !failure.isFailure, case .marked(let number, _, _) = first {
      try display.show(.markedInAllSessions(number: number))
    } else {
      try display.show(failure)
    }
  }

  // MARK: Exercises

  /// Starts an exercise as the key `b` does, for other threads. Absent if the key has no effect.
  var startExercise: SessionSetup.StartExercise? {
    guard exercise != nil, let controller = controllers.first else { return nil }
    return { [keys] in
      guard controller.exercise == nil else { return false }
      keys.press("b")
      return true
    }
  }

  /// Guides an exercise in place of the live screen, and then shows its result.
  private func guideExercise(on screen: Screen) async throws {
    guard let exercise, let controller = controllers.first else { return }
    let guided = exercise.exercise()
    let started = controller.start(guided.course)
    let display = GuideDisplay(
      started.guide, started.recorder, form: exercise.form, bell: false, to: screen.output,
      live: { screen.firstState })
    try screen.suspend()
    defer { screen.resume() }
    try await display.run(keys) { !started.guide.hasQuit && controller.exercise?.isDone == false }
    try display.clear()
    let events = controller.finishExercise()
    let member = members[0]
    let session = BreathingResult.Session(
      member.plan, isStored: member.storage.hasSession, started.recorder.strap)
    guard let result = guided.result(events, of: session) else { return screen.show(.brokenOff) }
    show(result, of: member, on: screen)
  }

  /// Stores the result, and shows it until a key is pressed.
  private func show(_ result: BreathingResult, of member: SessionMember, on screen: Screen) {
    let report = BreathingReport(result: result)
    do throws(HistoryError) {
      try member.store(exercise: result)
      if member.storage.hasSession {
        stored.withLock { $0 += 1 }
      } else if let error = member.storage.error {
        screen.show(.notStored("\(error)"))
      }
    } catch {
      screen.show(.notStored("\(CommandFailure(SessionError.resultNotStored(error)))"))
    }
    // A session that has ended meanwhile handles no keys.
    if !Task.isCancelled { screen.show { [style = screen.style] in report.card(style, $0) } }
  }
}

extension LiveKeyboard? {
  /// Handles keys while `body` runs; without a keyboard, only runs `body`.
  func handlingKeys<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    guard let keyboard = self else { return try await body() }
    return try await withBackgroundTask({ try await keyboard.run() }, body)
  }
}

extension LiveMessage.Journal {
  fileprivate init(_ journal: SessionMarker.Journal) {
    switch journal {
    case .entry(let number): self = .entry(number)
    case .nothingIsStored: self = .nothingIsStored
    case .failed(let reason): self = .failed(reason)
    }
  }
}
