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
import Simulator
import Stress
import Terminal

struct Breathe: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "breathe", _superCommandName: Stressmon.name,
    abstract: localized("Breathe with a pacer, and compare HRV before and after."),
    discussion: localized(
      """
      Measures a rest, guides the breathing, measures a second rest, and reports whether your HRV changed between the \
      two rests (docs/guide/breathing.md). Space pauses; q or Ctrl-C ends the exercise and keeps the data.

      --find-resonance guides six breathing rates, two minutes each, and reports the rate with the largest heart rate \
      oscillation. --from analyzes the exercise in a recording by its marks; in a file without marks, the exercise \
      starts at the first beat. Nothing is stored then.
      """) + "\n\n"
      + examples(
        "stressmon breathe",
        "stressmon breathe --pattern box --minutes 5",
        "stressmon breathe --pattern 4-0-6-0 --cycles 12 --before 5m",
        "stressmon breathe --simulate --seed 3 --speed max --find-resonance --json"))

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("4-7-8 (default), box, coherent, or inhale-hold-exhale-pause in seconds, such as 4-0-6-0."),
      valueName: "pattern"), completion: Completions.patterns)
  var pattern: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The number of breaths (default: 4 for 4-7-8, else 5 minutes of breathing)."), valueName: "n")
  )
  var cycles: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The length of the breathing, rounded to whole breaths: minutes, or a duration such as 90s or 5m.
        """),
      valueName: "minutes"))
  var minutes: MinutesArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(localized("The rest before: 0, or 30s to 1h (default: 60s)."), valueName: "duration"))
  var before: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The rest after: 0, or 30s to 1h (default: as before)."), valueName: "duration"))
  var after: DurationArgument?

  @Flag(
    name: .long,
    help: .localized("Find the breathing rate with the largest heart rate oscillation (12 minutes)."))
  var findResonance = false

  @Option(
    name: .long,
    help: ArgumentHelp(localized("Analyze this recording or RR text instead."), valueName: "file"),
    completion: Completions.files)
  var from: String?

  @Flag(name: .long, help: .localized("Show the statistics of the result."))
  var details = false

  @Flag(name: .long, help: .hidden)
  var list = false

  @Option(name: .long, help: .hidden)
  var limit: Int?

  @OptionGroup var recording: RecordOptions

  @OptionGroup(title: localized("Guidance options")) var guidance: GuidanceOptions
  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    if let pattern { _ = try Self.pattern(pattern) }
    if cycles != nil, minutes != nil {
      throw ValidationError.exclusive("--cycles", "--minutes")
    }
    if let cycles, !(1...500).contains(cycles) {
      throw ValidationError.outOfRange("--cycles \(cycles)", "1", to: "500", example: "--cycles 8")
    }
    try minutes?.duration.require(GuidanceOptions.lengths, "--minutes", example: "5m")
    for (name, rest) in [("before", before), ("after", after)] {
      guard let rest, rest.duration != .zero, !Self.rests.contains(rest.duration) else { continue }
      throw ValidationError.outOfRange(
        "--\(name) \(rest.duration.shortText)", Phrase("0, or \("30s") to \("1h")"), example: "--\(name) 60s")
    }
    if findResonance, pattern != nil || cycles != nil || minutes != nil {
      throw ValidationError(
        Phrase("--find-resonance sets the breathing rates: leave out --pattern, --cycles and --minutes."))
    }
    if from != nil, options.source.simulate || !options.source.straps.isEmpty || recording.record != nil {
      throw ValidationError(
        Phrase("--from reads the beats from a file: leave out --simulate, --strap and --record."))
    }
    if list, details || from != nil || findResonance || options.source.simulate || recording.record != nil {
      throw ValidationError(
        Phrase("--list prints stored exercises and accepts --limit, --json, --profile and --db only."))
    }
    if let limit {
      guard list else {
        throw ValidationError.requires("--limit", "--list", example: "stressmon breathe --list --limit 5")
      }
      guard limit > 0 else {
        throw ValidationError.outOfRange("--limit \(limit)", atLeast: "1", example: "--limit 20")
      }
    }
  }

  private static let rests: ClosedRange<Duration> = .seconds(30)...Duration.seconds(3600)

  private static func pattern(_ text: String) throws -> BreathingPattern {
    do throws(PatternError) { return try BreathingPattern(text) } catch {
      throw ValidationError(error.message)
    }
  }

  /// The requested exercise. A search for the resonance has rests only if they are requested.
  func course() throws -> ExerciseCourse {
    let usual = Duration.seconds(findResonance ? 0 : 60)
    let before = before?.duration ?? usual
    let after = after?.duration ?? before
    if findResonance {
      return ExerciseCourse(before: before, breathing: try ResonanceProtocol().breathing, after: after)
    }
    let pattern = try pattern.map(Self.pattern) ?? .relaxing
    let usualCycles = pattern == .relaxing ? 4 : pattern.cycles(nearest: .seconds(300))
    let asked = cycles ?? minutes.map { pattern.cycles(nearest: $0.duration) }
    return ExerciseCourse(
      before: before, breathing: PacedBreathing(pattern, cycles: asked ?? usualCycles), after: after)
  }

  func perform() async throws {
    let context = try CommandContext()
    let location = try options.store.location(context, mustExist: list)
    let style = options.view.style(context)
    if list {
      printReplacement(of: "breathe --list", by: "stressmon history --breathing")
      return try printList(
        of: options.store.existingProfile(context), location, style)
    }
    let profile = options.store.profileName(context)
    let exercise = GuidedExercise(
      try course(), findsResonance: findResonance,
      variability: Self.variability(of: profile, location))
    if let from {
      _ = try options.store.existingProfile(context)
      return try print(result(exercise, ofFile: from), style)
    }
    var setup = try options.setup(context)
    setup.recording = recording.target
    let speed = setup.source.speed
    let form = guidance.form(options.view, context, speed: speed)
    let output = NonblockingOutput(blocks: options.source.simulate)
    let outcome = try await exercise.guide(setup, form: form, bell: guidance.bell, output: output)
    let notice = guidance.endNotice(context.environment, style, form, speed: speed)
    try finish(outcome, style, notice)
  }

  /// Measures the exercise in a recording. In a file without marks, the exercise starts at the first beat.
  private func result(_ exercise: GuidedExercise, ofFile path: String) throws -> BreathingResult {
    let opened = try SessionFile(path: path).onlySession(report: reportProblem)
    let (events, session) = (Array(opened.events), BreathingResult.Session(opened))
    if let found = exercise.result(events, of: session) ?? exercise.result(unmarked: events, of: session) {
      return found
    }
    throw CommandFailure(
      .badData,
      Phrase(
        """
        \(path.printable) is too short for the exercise: its beats end before the breathing begins. Choose a shorter \
        rest with --before
        """))
  }

  private func printList(of profile: String, _ location: StoreLocation, _ style: TerminalStyle) throws {
    let found = try HistoryReader(location)?.breathingExercises(of: profile, limit: limit ?? 20) ?? []
    let output = StandardOutput()
    if options.view.json { return try output.write(found.reversed().json) }
    let report = HistoryReport(profile: profile, path: location.path, style: style)
    try output.write(report.text(found.reversed(), width: output.width))
  }

  /// Prints the result of an exercise that was guided.
  private func finish(
    _ outcome: GuidedExercise.Outcome, _ style: TerminalStyle, _ notice: EndNotice
  ) throws {
    var failures: [CommandFailure] = []
    if let error = outcome.error {
      guard let failure = CommandFailure(error) else { throw error }
      failures.append(failure)
    }
    if let result = outcome.result {
      try print(result, style)
      if outcome.storage == .stored, !options.view.json {
        printDiagnostic(style.localized("Stored. List the exercises with: stressmon history --breathing"))
      }
      if outcome.end == .finished {
        notice.post(Phrase("Breathing exercise \(style.localized(result.pattern)) finished"))
      }
    }
    if let failure = CommandFailure(all: failures) { throw failure }
    if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
    guard outcome.result == nil else { return }
    guard outcome.end == .quit else {
      throw CommandFailure(
        .noStrap,
        Phrase("no heartbeat was received, so nothing was measured. Find the cause with: stressmon doctor"))
    }
    printDiagnostic(
      style.localized("The exercise ended before the breathing started, so there is no comparison."))
  }

  private func print(_ result: BreathingResult, _ style: TerminalStyle) throws {
    let seed = options.source.simulated?.seed
    let report = BreathingReport(
      result: result, simulatedResonance: seed.map { Sitting.resonance(seed: $0) })
    switch (options.view.json, options.view.speech.speak) {
    case (true, _): try StandardOutput().write(report.json)
    case (_, true): try StandardOutput().write(report.spoken(style))
    case (_, _):
      try StandardOutput().write(report.text(style, hasDetails: details, width: StandardOutput().width))
    }
  }

  /// The variability of the person's rests; the population default if the history contains too few or cannot be read.
  static func variability(of profile: String, _ location: StoreLocation) -> RestVariability {
    (try? HistoryReader(location)?.restVariability(of: profile)) ?? .populationDefault
  }
}
