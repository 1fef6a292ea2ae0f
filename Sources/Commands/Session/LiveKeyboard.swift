import Glibc
import History
import Reports
import Synchronization
import Terminal

/// Performs the actions of the keys that are pressed during a session.
final class LiveKeyboard: Sendable {
  /// What is led through on demand, and how it is shown.
  struct Lead: Sendable {
    /// Made when it is asked for: how much the person's rests vary stands in the history.
    let exercise: @Sendable () -> GuidedExercise
    let form: GuideDisplay.Form
  }

  /// One for each session; none where nothing can be put into it.
  let desks: [SessionController]
  private let keys: TerminalKeys
  private let display: any KeyDisplay
  /// Nil when the session is spoken.
  private let screen: Screen?
  private let lead: Lead?
  private let quitting = AsyncStream<Void>.makeStream()
  private let kept = Mutex(0)
  private let isEnding = Mutex(false)

  init(_ keys: TerminalKeys, _ screen: Screen, desks: [SessionController] = [], leading lead: Lead? = nil) {
    (self.keys, display, self.screen, self.desks, self.lead) = (keys, screen, screen, desks, lead)
  }

  init(_ keys: TerminalKeys, speaking display: SpokenKeys, desks: [SessionController] = []) {
    (self.keys, self.display, screen, self.desks, lead) = (keys, display, nil, desks, nil)
  }

  /// How many exercises are in the history.
  var exercisesKept: Int { kept.withLock { $0 } }

  /// Waits until the person has had enough, or it is cancelled.
  @Sendable func untilQuit() async {
    for await _ in quitting.stream { return }
  }

  /// Hears until it is cancelled.
  func run() async throws {
    for await _ in keys.changes {
      for key in keys.pressed() { try await handle(key) }
      try display.redraw()
    }
  }

  /// After the first `q`, only a second one and SIGINT have an effect.
  private func handle(_ key: Character) async throws {
    let key = LiveKey(key)
    guard !isEnding.withLock({ $0 }) else {
      if key == .quit { endNow() }
      return
    }
    guard !display.closePage(), let key, display.keys.contains(key) else { return }
    switch key {
    case .help: try display.showHelp()
    case .pause: screen?.pauseOrResume()
    case .window: if let screen { try display.show(.window(screen.switchSpan())) }
    case .mark: try mark()
    case .breathe: if let screen { try await breathe(on: screen) }
    case .quit: try end()
    }
  }

  private func end() throws {
    isEnding.withLock { $0 = true }
    RawTerminalMode.endOnInterrupt()
    try display.show(.ending)
    quitting.continuation.yield()
  }

  /// Ends the process without waiting for the strap or the disk, as SIGINT does by default.
  private func endNow() -> Never {
    keys.close()
    Interruption(signal: SIGINT).endProcess()
  }

  private func mark() throws {
    let messages = desks.map { $0.mark() }
    guard let first = messages.first else { return }
    let failure = messages.first(where: \.isFailure) ?? first
    if messages.count > 1, !failure.isFailure, case .marked(let number, _, _) = first {
      try display.show(.markedInAllSessions(number: number))
    } else {
      try display.show(failure)
    }
  }

  // MARK: Breathe now

  /// Leads through an exercise in the place of the live screen, and comes back with what it came to.
  private func breathe(on screen: Screen) async throws {
    guard let lead, let desk = desks.first else { return }
    let led = desk.begin(lead.exercise(), live: screen.firstState)
    let display = GuideDisplay(led.guide, led.heart, form: lead.form, bell: false, to: screen.output)
    try screen.goAway()
    defer { screen.comeBack() }
    try await display.run(keys) { !led.guide.hasQuit && desk.led?.isDone == false }
    try display.clear()
    guard let result = desk.finish() else { return screen.tell(.brokenOff) }
    tell(result, desk, on: screen)
  }

  /// Keeps the result where the session is kept, and shows it until a key is pressed.
  private func tell(_ result: BreathingResult, _ desk: SessionController, on screen: Screen) {
    let report = BreathingReport(result: result)
    if let stored = result.stored, let location = desk.subject?.location {
      do {
        try HistoryWriter(location).add(stored)
        kept.withLock { $0 += 1 }
      } catch {
        screen.tell(.notStored("\(error)"))
      }
    }
    // Where the session has ended meanwhile, nobody is there to press a key.
    if !Task.isCancelled { screen.show { [style = screen.style] in report.card(style, $0) } }
  }
}

extension LiveKeyboard? {
  /// Hears keys, if there is anybody to hear, while `body` runs.
  func hearing<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
    guard let keyboard = self else { return try await body() }
    return try await withBackgroundTask({ try await keyboard.run() }, body)
  }
}
