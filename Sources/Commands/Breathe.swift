import ArgumentParser
import Breathing
import HRV
import HeartRate
import History
import Localization
import Reports
import Simulator
import Stress
import Terminal

struct Breathe: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "breathe",
    abstract: "Breathe with a pacer, and compare HRV before and after.",
    discussion: """
      Measures a rest, guides the breathing, measures a second rest, and reports whether RMSSD changed between the two \
      rests (docs/breathing.md). Space pauses; q or Ctrl-C ends the exercise and keeps the data.

      --find-resonance guides six breathing rates, two minutes each, and reports the rate with the largest heart rate \
      oscillation. --from analyzes the exercise in a recording by its marks; in a file without marks, the exercise \
      starts at the first beat. Nothing is stored then.

      Example: stressmon breathe
      Example: stressmon breathe --pattern box --minutes 5
      Example: stressmon breathe --pattern 4-0-6-0 --cycles 12 --before 5m
      Example: stressmon breathe --simulate --seed 3 --speed max --find-resonance --json
      Example: stressmon breathe --speak
      Example: stressmon breathe --list
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "4-7-8, box, coherent, or the seconds inhale-hold-exhale-pause, such as 4-0-6-0 (default: 4-7-8).",
      valueName: "pattern"), completion: Completions.patterns)
  var pattern: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The number of breaths (default: 4 for 4-7-8, else 5 minutes of breathing).", valueName: "n"))
  var cycles: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The length of the breathing, rounded to whole breaths: minutes, or a duration such as 90s or 5m.",
      valueName: "minutes"))
  var minutes: MinutesArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The length of the rest before: 0, or 30s to 1h (default: 60s).", valueName: "duration"))
  var before: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The length of the rest after: 0, or 30s to 1h (default: as before).", valueName: "duration"))
  var after: DurationArgument?

  @Flag(name: .long, help: "Find the breathing rate with the largest heart rate oscillation (12 minutes).")
  var findResonance = false

  @Option(
    name: .long, help: ArgumentHelp("Analyze this recording or RR text instead.", valueName: "file"),
    completion: Completions.files)
  var from: String?

  @Flag(name: .long, help: "List the stored exercises.")
  var list = false

  @Option(
    name: .long,
    help: ArgumentHelp("With --list: show at most the n newest exercises (default: 20).", valueName: "n"))
  var limit: Int?

  @Option(
    name: .long, help: ArgumentHelp("Also record the session to this file.", valueName: "file"),
    completion: Completions.files)
  var record: String?

  @Flag(name: .long, help: "With --record: replace the file if it exists.")
  var force = false

  @OptionGroup(title: "Guidance options") var guidance: GuidanceOptions
  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    if let pattern { _ = try Self.pattern(pattern) }
    if cycles != nil, minutes != nil {
      throw ValidationError("--cycles and --minutes exclude each other: leave out one of them.")
    }
    if let cycles, !(1...500).contains(cycles) {
      throw ValidationError("'--cycles \(cycles)' is out of range: it takes 1 to 500. Example: --cycles 8")
    }
    try minutes?.duration.require(GuidanceOptions.lengths, "--minutes", example: "5m")
    for (name, rest) in [("before", before), ("after", after)] {
      guard let rest, rest.duration != .zero, !Self.rests.contains(rest.duration) else { continue }
      throw ValidationError(
        "'--\(name) \(rest.duration.shortText)' is out of range: it takes 0, or 30s to 1h. Example: --\(name) 60s"
      )
    }
    if findResonance, pattern != nil || cycles != nil || minutes != nil {
      throw ValidationError(
        "--find-resonance sets the breathing rates itself: leave out --pattern, --cycles and --minutes.")
    }
    if from != nil, options.source.simulate || !options.source.straps.isEmpty || record != nil {
      throw ValidationError("--from reads the beats from a file: leave out --simulate, --strap and --record.")
    }
    if list, from != nil || findResonance || options.source.simulate || record != nil {
      throw ValidationError(
        "--list prints stored exercises and accepts --limit, --json, --profile and --db only.")
    }
    if let limit {
      guard list else {
        throw ValidationError("--limit needs --list. Example: stressmon breathe --list --limit 5")
      }
      guard limit > 0 else {
        throw ValidationError("'--limit \(limit)' is out of range: it takes 1 or more. Example: --limit 20")
      }
    }
    if force, record == nil {
      throw ValidationError("--force needs --record. Example: --record rest.jsonl --force")
    }
  }

  private static let rests: ClosedRange<Duration> = .seconds(30)...Duration.seconds(3600)

  private static func pattern(_ text: String) throws -> BreathingPattern {
    do throws(PatternError) { return try BreathingPattern(text) } catch { throw ValidationError("\(error)") }
  }

  /// What is asked for. A search for the resonance has no rests unless they are asked for.
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
    let session = try options.session(
      recording: record.map { LiveSession.RecordingTarget(path: $0, replacing: force) }, duration: nil,
      isMeasured: !list && from == nil)
    let (configuration, environment) = (session.configuration, session.environment)
    let location = try options.store.location(configuration, environment)
    let profile = options.store.profileName(configuration)
    if list {
      let found = try HistoryReader(location)?.breathingExercises(of: profile, limit: limit ?? 20) ?? []
      let (output, style) = (StandardOutput(), options.view.style(environment, configuration))
      let report = BreathingList(profile: profile, path: location.path, style: style)
      if options.view.json { return try output.write(found.reversed().json) }
      return try output.write(report.text(found.reversed(), width: output.width))
    }
    let exercise = GuidedExercise(
      course: try course(), findsResonance: findResonance,
      variability: Self.variability(of: profile, location))
    if let from { return try show(exercise.result(ofFile: from), session) }
    try await lead(exercise, session, location)
  }

  private func lead(_ exercise: GuidedExercise, _ session: LiveSession, _ location: StoreLocation)
    async throws
  {
    let speed = options.source.guideSpeed
    let form = guidance.form(options.view, session.environment, session.configuration, speed: speed)
    let led = try await exercise.lead(session, form: form, bell: guidance.bell, speed: speed)
    var failures = [led.failure].compactMap(\.self)
    if let result = led.result {
      try show(result, session)
      failures += [keep(result, session, location)].compactMap(\.self)
      if led.end == .finished {
        guidance.endNotice(session.environment, style(session), form, speed: speed).post(
          Phrase("Breathing \(style(session).localized(result.pattern)) is done"))
      }
    }
    if let failure = CommandFailure(all: failures) { throw failure }
    if case .signal(let signal) = led.end { throw Interruption(signal: signal) }
    guard led.result == nil else { return }
    guard led.end == .quit else {
      throw CommandFailure(
        .noStrap, "no heartbeat came, so nothing was measured; see what is wrong with: stressmon doctor")
    }
    say(style(session).localized("It ended before the breathing began: there is nothing to compare."))
  }

  /// Stores the result; returns why it could not be stored.
  private func keep(
    _ result: BreathingResult, _ session: LiveSession, _ location: StoreLocation
  ) -> CommandFailure? {
    guard session.isStored, let stored = result.stored else { return nil }
    do {
      try HistoryWriter(location).add(stored)
      if !options.view.json { say(style(session).localized("Kept: stressmon breathe --list")) }
      return nil
    } catch {
      return CommandFailure(.failed, "the result is not in the history: \(error)")
    }
  }

  private func style(_ session: LiveSession) -> TerminalStyle {
    options.view.style(session.environment, session.configuration)
  }

  private func show(_ result: BreathingResult, _ session: LiveSession) throws {
    let seed = options.source.simulate ? options.source.seed ?? 1 : nil
    let report = BreathingReport(
      result: result, simulatedResonance: seed.map { Sitting.resonance(seed: $0) })
    switch (options.view.json, options.view.speech.speak) {
    case (true, _): try StandardOutput().write(report.json)
    case (_, true): try StandardOutput().write(report.spoken(style(session)))
    case (_, _): try StandardOutput().write(report.text(style(session), width: StandardOutput().width))
    }
  }

  /// From the person's own history; the prior where there is too little of it, or it cannot be read.
  static func variability(of profile: String, _ location: StoreLocation) -> RestVariability {
    (try? HistoryReader(location)?.restVariability(of: profile)) ?? .populationDefault
  }
}
