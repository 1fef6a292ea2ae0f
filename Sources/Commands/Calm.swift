import ArgumentParser
import Breathing
import HRV
import HeartRate
import History
import Localization
import Platform
import Reports
import Stress
import Synchronization
import Terminal

struct Calm: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "calm",
    abstract: "I need help now: start a calming exercise at once.",
    discussion: """
      Guides slow breathing, inhaling for 4 s and exhaling for 6 s, or with --grounding the 5-4-3-2-1 exercise. Asks \
      no questions and needs no strap; if a known strap responds, its heart rate is shown and the session and the \
      exercise are stored. Space pauses (or continues the grounding exercise); q or Ctrl-C ends.
      Example: stressmon calm
      Example: stressmon calm --grounding
      Example: stressmon calm --minutes 10 --bell
      Example: stressmon calm --speak
      """)

  @Flag(name: .long, help: "Start the 5-4-3-2-1 grounding exercise instead of breathing.")
  var grounding = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The length of the breathing: minutes, or a duration such as 90s or 5m (default: 3m).",
      valueName: "minutes"))
  var minutes: MinutesArgument?

  @Flag(name: .long, help: "Print lines of plain text, without the screen view and without colour.")
  var plain = false

  @Flag(name: .long, help: "Store nothing in the history.")
  var noStore = false

  @OptionGroup(title: "Guidance options") var guidance: GuidanceOptions
  @OptionGroup(title: commonOptions) var source: SourceOptions
  @OptionGroup(title: commonOptions) var speech: SpeechOptions
  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions
  @OptionGroup(title: commonOptions) var log: LogOptions

  func validate() throws {
    try minutes?.duration.require(GuidanceOptions.lengths, "--minutes", example: "5m")
    if grounding, minutes != nil || source.simulate || !source.straps.isEmpty || guidance.notify != nil {
      throw ValidationError(
        "--grounding has a fixed length and uses no strap: leave out --minutes, --simulate, --strap and --notify."
      )
    }
  }

  func perform() async throws {
    _ = try source.onlyStrap
    var view = try ViewOptions.parse(plain ? ["--plain"] : [])
    (view.speech, view.appearance) = (speech, appearance)
    let configuration = try Configuration(environment: .current)
    let end = try await grounding ? ground(view, configuration) : breathe(view, configuration)
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private func ground(_ view: ViewOptions, _ configuration: Configuration) async throws -> RunEnd {
    let environment = ProcessEnvironment.current
    let led = GroundingGuide(
      style: view.style(environment, configuration), isOnScreen: view.usesScreen(environment),
      hasKeys: view.usesScreen(environment) || view.speaksOnTerminal, bell: guidance.bell)
    return try await runUntilInterrupted { try await led.run() }
  }

  // MARK: Breathing

  private func breathe(_ view: ViewOptions, _ configuration: Configuration) async throws -> RunEnd {
    let pattern = BreathingPattern.calming
    let cycles = pattern.cycles(nearest: minutes?.duration ?? .seconds(180))
    let course = ExerciseCourse(
      before: .zero, breathing: PacedBreathing(pattern, cycles: cycles), after: .zero)
    let guide = Guide(course, speed: source.guideSpeed)
    let heart = GuidedHeart()
    let form = guidance.form(view, .current, configuration, speed: source.guideSpeed)
    let display = GuideDisplay(
      guide, heart, form: form, bell: guidance.bell, to: NonblockingOutput(waits: source.simulate))
    guide.begin()
    let failures = SessionFailures()
    let end = try await display.showing {
      try await runUntilInterrupted(until: guide.untilQuit) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            await measure(guide, heart, display, view.style(.current, configuration), failures)
          }
          try await guide.untilOver()
          // A strap's next word ends its session in good order; a search for one does not end by itself.
          if heart.live.beats > 0 {
            group.addTask { try await Task.sleep(for: Self.lastWord) }
            try await group.next()
          }
          group.cancelAll()
        }
      }
    }
    let style = view.style(.current, configuration)
    if let failure = keep(course, heart, style) { failures.append(failure) }
    if end == .finished {
      guidance.endNotice(.current, style, form, speed: source.guideSpeed).post(
        Phrase("The breathing is done"))
    }
    if let failure = CommandFailure(all: failures.all) { throw failure }
    return end
  }

  /// How long a strap may be silent before the exercise ends without it.
  private static let lastWord = Duration.seconds(2)

  /// Stores what was measured; returns why it could not be stored.
  private func keep(
    _ course: ExerciseCourse, _ heart: GuidedHeart, _ style: TerminalStyle
  ) -> CommandFailure? {
    let exercise = GuidedExercise(course: course, findsResonance: false, variability: .populationDefault)
    guard !noStore, let plan = heart.plan,
      let result = exercise.result(heart, of: plan, isStored: true), result.during.side != nil,
      let stored = result.stored
    else { return nil }
    do {
      try HistoryWriter(store.location(Configuration(environment: .current), .current)).add(stored)
      say(style.localized("Kept: stressmon history --breathing"))
      return nil
    } catch {
      return CommandFailure(.failed, "the result is not in the history: \(error)")
    }
  }

  /// Measures beside it, where there is a strap to be expected. That there is none is no reason to stop.
  private func measure(
    _ guide: Guide, _ heart: GuidedHeart, _ display: GuideDisplay, _ style: TerminalStyle,
    _ failures: SessionFailures
  ) async {
    do {
      guard let session = try session(guide) else { return }
      let outcome = try await session.outcome(notices: SessionAlerts(onScreen: true)) { plan, _ in
        heart.begin(plan)
        return GuideSink(heart: heart, display: display)
      }
      guard let failure = outcome.failure else { return }
      // A session with beats did not fail for lack of a strap.
      guard heart.live.beats == 0 else { return failures.append(failure) }
      throw failure
    } catch is ClosedPipe {
      guide.quit()
    } catch {
      display.tell(
        style.localized("No heart rate: the breathing goes on without. See why with: stressmon doctor"))
    }
  }

  /// Nil where no strap is simulated, named or remembered: then none is sought.
  private func session(_ guide: Guide) throws -> LiveSession? {
    let environment = ProcessEnvironment.current
    let configuration = try Configuration(environment: environment)
    let location = try store.location(configuration, environment)
    let isNamed = source.simulate || !source.straps.isEmpty || configuration[.strap] != nil
    let profile = store.profileName(configuration)
    if !isNamed {
      let remembered = try HistoryReader(location)?.rememberedStraps(of: profile) ?? []
      guard !remembered.isEmpty else { return nil }
    }
    if !noStore { _ = try store.profileToStore(configuration, environment, asks: false) }
    var session = LiveSession(
      configuration: configuration, environment: environment, source: source, store: store,
      engine: try EngineOptions.parse([]), logger: log.logger(environment))
    session.isStored = !noStore
    session.isStoredWithDataOnly = true
    session.attendant = guide
    session.untilQuit = guide.untilQuit
    session.expectedLength = guide.expectedLength
    return session
  }
}

/// What failed in the session beside the exercise.
private final class SessionFailures: Sendable {
  private let failures = Mutex<[CommandFailure]>([])

  var all: [CommandFailure] { failures.withLock { $0 } }
  func append(_ failure: CommandFailure) { failures.withLock { $0.append(failure) } }
}
