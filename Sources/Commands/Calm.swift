import ArgumentParser
import Breathing
import HRV
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Session
import Stress
import Terminal

struct Calm: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "calm", _superCommandName: Stressmon.name,
    abstract: localized("I need help now: start a calming exercise at once."),
    discussion: localized(
      """
      Guides slow breathing, inhaling for 4 s and exhaling for 6 s, or with --grounding the 5-4-3-2-1 exercise. Asks \
      no questions and needs no strap; if a known strap responds, its heart rate is shown and the session and the \
      exercise are stored. Space pauses (or continues the grounding exercise); q or Ctrl-C ends.
      """) + "\n"
      + examples(
        "stressmon calm",
        "stressmon calm --grounding",
        "stressmon calm --minutes 10 --bell",
        "stressmon calm --speak"))

  @Flag(name: .long, help: .localized("Start the 5-4-3-2-1 grounding exercise instead of breathing."))
  var grounding = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The length of the breathing: minutes, or a duration such as 90s or 5m (default: 3m)."),
      valueName: "minutes"))
  var minutes: MinutesArgument?

  @Flag(
    name: .long, help: .localized("Print lines of plain text, without the screen view and without colour."))
  var plain = false

  @Flag(
    name: .long,
    help: .localized("Store nothing in the history. Its baseline and normal range are used nevertheless."))
  var noStore = false

  @OptionGroup(title: localized("Guidance options")) var guidance: GuidanceOptions
  @OptionGroup(title: commonOptions) var source: SourceOptions
  @OptionGroup(title: commonOptions) var speech: SpeechOptions
  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions
  @OptionGroup(title: commonOptions) var log: LogOptions

  func validate() throws {
    try minutes?.duration.require(GuidanceOptions.lengths, "--minutes", example: "5m")
    if grounding,
      minutes != nil || source.simulate || source.lines != nil || !source.straps.isEmpty
        || guidance.notify != nil
    {
      throw ValidationError(
        Phrase(
          "--grounding has a fixed length and uses no strap: leave out --minutes, --simulate, --strap and --notify."
        )
      )
    }
  }

  func perform() async throws {
    _ = try source.onlyStrap
    var view = try ViewOptions.parse(plain ? ["--plain"] : [])
    (view.speech, view.appearance) = (speech, appearance)
    let context = try CommandContext()
    _ = try store.measuredProfile(context)
    let end = try await grounding ? ground(view, context) : breathe(view, context)
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private func ground(_ view: ViewOptions, _ context: CommandContext) async throws -> RunEnd {
    let isOnScreen = view.usesScreen(context.environment)
    let led = GroundingGuide(
      style: view.style(context), isOnScreen: isOnScreen, hasKeys: isOnScreen || view.speaksOnTerminal,
      bell: guidance.bell)
    return try await runUntilInterrupted { try await led.run() }
  }

  // MARK: Breathing

  private func breathe(_ view: ViewOptions, _ context: CommandContext) async throws -> RunEnd {
    let pattern = BreathingPattern.calming
    let cycles = pattern.cycles(nearest: minutes?.duration ?? .seconds(180))
    let course = ExerciseCourse(
      before: .zero, breathing: PacedBreathing(pattern, cycles: cycles), after: .zero)
    let setup = try setup(context)
    let speed = if let setup { setup.source.speed } else { Double?(1) }
    let style = view.style(context)
    let form = guidance.form(view, context, speed: speed)
    let exercise = CalmingExercise(
      course: course, speed: speed, form: form, bell: guidance.bell, style: style,
      output: NonblockingOutput(blocks: source.simulate))
    let (end, failures) = try await exercise.run(setup)
    if end == .finished {
      guidance.endNotice(context.environment, style, form, speed: speed).post(
        Phrase("Breathing exercise finished"))
    }
    if let failure = CommandFailure(all: failures) { throw failure }
    return end
  }

  /// The session that is measured during the breathing, if a strap is simulated, named or remembered.
  private func setup(_ context: CommandContext) throws -> SessionSetup? {
    let location = try store.location(context)
    let isNamed = source.simulate || !source.straps.isEmpty || context[.strap] != nil
    if !isNamed {
      let profile = store.profileName(context)
      let remembered = try? HistoryReader(location)?.rememberedStraps(of: profile)
      if remembered?.isEmpty ?? true { return nil }
    }
    let builder = SessionSetupBuilder(
      context: context, source: source, store: store,
      settings: try EngineOptions.parse([]).settings(context), isStored: !noStore,
      logger: log.logger(context.environment))
    var setup = try builder.setup(try source.onlyStrap)
    setup.isStoredWithDataOnly = true
    return setup
  }
}
