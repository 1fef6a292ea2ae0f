import ArgumentParser
import Breathing
import HRV
import HeartRate
import History
import Recording
import Stress
import Terminal
import Words

struct Breathe: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "breathe",
    abstract: "Breathe with a pacer, and see what it does to HRV.",
    discussion: """
      Measures a rest, leads you through the breathing, measures a rest again, and says honestly whether RMSSD changed \
      from one rest to the other (docs/breathing.md). Space pauses, q or Ctrl-C ends; what was measured is kept.

      --find-resonance leads through six rates, two minutes each, and finds the one at which your heart swings furthest.
      --from measures the exercise in a recording by its marks; in a file without marks it is laid over the beats from \
      the first one on. Nothing is stored then.

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
      "4-7-8, box, coherent, or seconds in-hold-out-pause such as 4-0-6-0 (default: 4-7-8).",
      valueName: "pattern"))
  var pattern: String?

  @Option(
    name: .long,
    help: ArgumentHelp("How many breaths (default: 4 of 4-7-8, else 5 minutes).", valueName: "n"))
  var cycles: Int?

  @Option(name: .long, help: ArgumentHelp("How long, to whole breaths.", valueName: "minutes"))
  var minutes: Double?

  @Option(
    name: .long,
    help: ArgumentHelp("The rest before: 0, or 30s to 1h (default: 60s).", valueName: "duration"))
  var before: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("The rest after (default: as long as before).", valueName: "duration"))
  var after: DurationArgument?

  @Flag(name: .long, help: "Find the breathing rate at which the heart swings furthest; 12 minutes.")
  var findResonance = false

  @Option(name: .long, help: ArgumentHelp("Measure a recording or RR text instead.", valueName: "file"))
  var from: String?

  @Flag(name: .long, help: "Show the exercises so far.")
  var list = false

  @Option(name: .long, help: ArgumentHelp("With --list: how many (default: 20).", valueName: "n"))
  var limit: Int?

  @Option(name: .long, help: ArgumentHelp("Also record to a file.", valueName: "file"))
  var record: String?

  @Flag(name: .long, help: "Replace the file of --record if it exists.")
  var force = false

  @OptionGroup(title: "Guidance") var guidance: GuidanceOptions
  @OptionGroup var options: SessionOptions

  func validate() throws {
    if let pattern { _ = try Self.pattern(pattern) }
    if cycles != nil, minutes != nil { throw ValidationError("Choose one of --cycles and --minutes.") }
    if let cycles, !(1...500).contains(cycles) {
      throw ValidationError("'--cycles \(cycles)' is out of range: it takes 1 to 500.")
    }
    if let minutes, !GuidanceOptions.minutes.contains(minutes) {
      throw ValidationError("'--minutes \(minutes)' is out of range: it takes 0.1 to 120.")
    }
    for (name, rest) in [("before", before), ("after", after)] {
      guard let rest, rest.duration != .zero, !Self.rests.contains(rest.duration) else { continue }
      throw ValidationError(
        "'--\(name) \(rest.duration.shortText)' is out of range: it takes 0, or 30s to 1h.")
    }
    if findResonance, pattern != nil || cycles != nil || minutes != nil {
      throw ValidationError(
        "--find-resonance has its own rates: leave out --pattern, --cycles and --minutes.")
    }
    if from != nil, options.source.simulate || !options.source.straps.isEmpty || record != nil {
      throw ValidationError("--from takes the beats from a file: leave out --simulate, --strap and --record.")
    }
    if list, from != nil || findResonance || options.source.simulate || record != nil {
      throw ValidationError(
        "--list only shows what is stored; of the others it takes --limit, --json and --profile.")
    }
    if let limit {
      guard list else { throw ValidationError("--limit goes with --list.") }
      guard limit > 0 else { throw ValidationError("'--limit \(limit)': it takes 1 or more.") }
    }
    if force, record == nil { throw ValidationError("--force goes with --record FILE.") }
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
    let asked = cycles ?? minutes.map { pattern.cycles(nearest: .seconds($0 * 60)) }
    return ExerciseCourse(
      before: before, breathing: PacedBreathing(pattern, cycles: asked ?? usualCycles), after: after)
  }

  func perform() async throws {
    let session = try options.session(
      recording: record.map { LiveSession.RecordingTarget(path: $0, replacing: force) }, duration: nil)
    let (configuration, surroundings) = (session.configuration, session.surroundings)
    let location = try options.store.location(configuration, surroundings)
    let profile = options.store.profileName(configuration)
    if list {
      let found = try HistoryReader(location)?.breathingExercises(of: profile, limit: limit ?? 20) ?? []
      let (output, style) = (StandardOutput(), options.view.style(surroundings, configuration))
      let report = BreathingList(profile: profile, path: location.path, style: style)
      if options.view.json { return try found.reversed().writeJSON(output) }
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
    let form = guidance.form(options.view, session.surroundings, session.configuration, speed: speed)
    let led = try await exercise.lead(session, form: form, bell: guidance.bell, speed: speed)
    var failures = [led.failure].compactMap(\.self)
    if let result = led.result {
      try show(result, session)
      failures += [keep(result, session, location)].compactMap(\.self)
      if led.end == .finished {
        guidance.endNotice(session.surroundings, style(session), form, speed: speed).post(
          Phrase("Breathing \(style(session).words(result.pattern)) is done"))
      }
    }
    if let failure = CommandFailure(all: failures) { throw failure }
    if case .signal(let signal) = led.end { throw Interruption(signal: signal) }
    guard led.result == nil else { return }
    guard led.end == .quit else {
      throw CommandFailure(
        .noStrap, "no heartbeat came, so nothing was measured; see what is wrong with: stressmon doctor")
    }
    say(style(session).words("It ended before the breathing began: there is nothing to compare."))
  }

  /// Stores the result; returns why it could not be stored.
  private func keep(
    _ result: BreathingResult, _ session: LiveSession, _ location: StoreLocation
  ) -> CommandFailure? {
    guard session.isStored, let stored = result.stored else { return nil }
    do {
      try HistoryWriter(location).add(stored)
      if !options.view.json { say(style(session).words("Kept: stressmon breathe --list")) }
      return nil
    } catch {
      return CommandFailure(.failed, "the result is not in the history: \(error)")
    }
  }

  private func style(_ session: LiveSession) -> TerminalStyle {
    options.view.style(session.surroundings, session.configuration)
  }

  private func show(_ result: BreathingResult, _ session: LiveSession) throws {
    let seed = options.source.simulate ? options.source.seed ?? 1 : nil
    let report = BreathingReport(result: result, simulatedSeed: seed)
    switch (options.view.json, options.view.speech.speak) {
    case (true, _): try StandardOutput().write(report.json)
    case (_, true): try StandardOutput().write(report.spoken(style(session)))
    case (_, _): try StandardOutput().write(report.text(style(session)))
    }
  }

  /// From the person's own history; the prior where there is too little of it, or it cannot be read.
  static func variability(of profile: String, _ location: StoreLocation) -> RestVariability {
    (try? HistoryReader(location)?.restVariability(of: profile)) ?? .prior
  }
}
