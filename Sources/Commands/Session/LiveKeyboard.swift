import History
import Synchronization
import Terminal

/// Hears the keys of the live screen, and does what they say.
final class LiveKeyboard: Sendable {
  /// What is led through on demand, and how it is shown.
  struct Lead: Sendable {
    /// Made when it is asked for: how much the person's rests vary stands in the history.
    let exercise: @Sendable () -> GuidedExercise
    let form: GuideDisplay.Form
  }

  /// One for each session; none where nothing can be put into it.
  let desks: [SessionDesk]
  private let keys: TerminalKeys
  private let screen: Screen
  private let lead: Lead?
  private let quitting = AsyncStream<Void>.makeStream()
  private let kept = Mutex(0)

  init(_ keys: TerminalKeys, _ screen: Screen, desks: [SessionDesk] = [], leading lead: Lead? = nil) {
    (self.keys, self.screen, self.desks, self.lead) = (keys, screen, desks, lead)
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
      for key in keys.pressed() { try await hear(key) }
      try screen.draw(always: true)
    }
  }

  private func hear(_ key: Character) async throws {
    guard !screen.showsPage else { return screen.show(nil) }
    guard let key = LiveKey(key), screen.keys.contains(key) else { return }
    switch key {
    case .help: screen.show(KeyHelp(screen.keys, style: screen.style).lines)
    case .pause: screen.pauseOrResume()
    case .window: screen.tell(.window(screen.switchSpan()))
    case .mark: mark()
    case .breathe: try await breathe()
    case .quit: quitting.continuation.yield()
    }
  }

  private func mark() {
    let messages = desks.map { $0.mark() }
    guard let first = messages.first else { return }
    let failure = messages.first(where: \.isFailure) ?? first
    if messages.count > 1, !failure.isFailure, case .marked(let number, _, _) = first {
      screen.tell(.markedInAllSessions(number: number))
    } else {
      screen.tell(failure)
    }
  }

  // MARK: Breathe now

  /// Leads through an exercise in the place of the live screen, and comes back with what it came to.
  private func breathe() async throws {
    guard let lead, let desk = desks.first else { return }
    let led = desk.begin(lead.exercise(), live: screen.firstState)
    let display = GuideDisplay(led.guide, led.heart, form: lead.form, bell: false, to: screen.output)
    try screen.goAway()
    defer { screen.comeBack() }
    try await display.run(keys) { !led.guide.hasQuit && desk.led?.isDone == false }
    try display.clear()
    guard let result = desk.finish() else { return screen.tell(.brokenOff) }
    tell(result, desk)
  }

  /// Keeps the result where the session is kept, and shows it until a key is pressed.
  private func tell(_ result: BreathingResult, _ desk: SessionDesk) {
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
    return try await accompanied(by: { try await keyboard.run() }, body)
  }
}

extension KeyHelp {
  fileprivate func lines(_ size: TerminalSize) -> [String] { lines(width: size.columns, height: size.rows) }
}
