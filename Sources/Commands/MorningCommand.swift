import ArgumentParser
import Glibc
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Plot
import Reports
import Session
import Stress
import Terminal

struct MorningCommand: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "morning", _superCommandName: Stressmon.name,
    abstract: localized("Take a guided reading in the morning, and compare it with your normal range."),
    discussion: localized(
      """
      Take it after waking up, always in the same posture. The first valid reading of a local day is added to a \
      separate series. The result is a score from 0 to 100 relative to your own normal, with advice and the chart of \
      two weeks (docs/guide/morning.md). On a terminal, a question about sleep, sore muscles, alcohol and illness \
      follows; the answer is added to the journal. q or Ctrl-C ends the reading without adding it.

      --orthostatic measures lying, announces when to stand up, and measures standing. The series contains the lying \
      part.
      """) + "\n\n"
      + examples(
        "stressmon morning",
        "stressmon morning --posture sitting --duration 2m",
        "stressmon morning --plot mornings.png",
        "stressmon morning --orthostatic --bell",
        "stressmon morning --simulate --seed 3 --speed max --json"))

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        Measure for this long after the first beat, 1m to 5m; with --orthostatic, in each posture (default: 1m).
        """),
      valueName: "duration"))
  var duration: DurationArgument?

  @Option(name: .long, help: .localized("The posture; each has its own series (default: lying)."))
  var posture: MorningPosture?

  @Flag(name: .long, help: .localized("Measure lying, then standing."))
  var orthostatic = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("With --simulate: the time of the reading, in the past."), valueName: "time"),
    transform: TimeArgument.init(momentArgument:))
  var at: TimeArgument?

  @Flag(name: .long, help: .localized("Ring the terminal bell at each instruction."))
  var bell = false

  @Flag(name: .long, help: .localized("Show the statistics of the reading and of the last mornings."))
  var details = false

  @OptionGroup var plot: PlotOptions
  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    try plot.requireFileForForce(example: "mornings.png")
    if plot.plot != nil, options.noStore { throw ValidationError.exclusive("--plot", "--no-store") }
    try duration?.duration.require(MorningCourse.lengths, "--duration", example: "1m")
    if orthostatic, posture != nil { throw ValidationError.exclusive("--orthostatic", "--posture") }
    guard let at else { return }
    guard options.source.simulate else {
      throw ValidationError.requires("--at", "--simulate", example: "--simulate --at 07:00")
    }
    guard at.start <= SystemClock.wall else {
      throw ValidationError(Phrase("--at is in the future. Example: --at 07:00"))
    }
  }

  private var course: MorningCourse {
    let length = duration?.duration ?? .seconds(60)
    return orthostatic
      ? MorningCourse(orthostatic: length) : MorningCourse(posture: posture ?? .lying, length: length)
  }

  func perform() async throws {
    let context = try CommandContext()
    let style = options.view.style(context)
    var picture = try plot.open()
    defer { picture?.discard() }
    var setup = try options.setup(context)
    setup.started = at?.start
    let output = NonblockingOutput(blocks: setup.source.waitsForReaders)
    let display = ReadingDisplay(form(context.environment, style), bell: bell, to: output)
    let course = course
    let session = MorningSession(course, setup)
    let outcome = try await display.showing {
      try await session.run(
        alerts: SessionAlerts(onScreen: display.isOnScreen), until: display.untilQuit
      ) { progress in
        ReadingDisplaySink(display: display) { ReadingStage(progress.stage, of: course) }
      }
    }
    try finish(outcome, setup, &picture, style, context)
  }

  /// Whether a person reads the result on a terminal and can answer.
  private var canAsk: Bool {
    options.view.usesScreen(.current) && isatty(STDIN_FILENO) == 1
  }

  private func form(_ environment: ProcessEnvironment, _ style: TerminalStyle) -> ReadingDisplay.Form {
    guard options.view.usesScreen(environment) else {
      return .lines(ReadingLines(style: style), toErrors: options.view.json)
    }
    let ending = Phrase("q ends the reading; an incomplete reading is not added to the series")
    return .screen(ReadingScreen(style: style, ending: ending))
  }

  private func finish(
    _ outcome: MorningSession.Outcome, _ setup: SessionSetup, _ picture: inout PlotFile?,
    _ style: TerminalStyle, _ context: CommandContext
  ) throws {
    guard let result = outcome.result else {
      if let error = outcome.error { throw error }
      if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
      throw CommandFailure(
        .noStrap,
        Phrase("no heartbeat was received, so nothing was measured. Find the cause with: stressmon doctor"))
    }
    let report = MorningReport(result, at: setup.history, outcome.storage)
    let trend = Self.trend(report, at: setup.history)
    try print(report, trend, style)
    if let trend { try picture.take()?.write(trend.figure(style.language).mornings) }
    if report.counts, canAsk, let location = setup.history, let reading = result.stored.first {
      try MorningQuestions(
        style: style, location: location, profileOption: context.profileOption(reading.profile),
        reading: reading
      ).ask()
    }
    if let error = outcome.error { throw error }
    if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
    if result.reading.refusal != nil { throw ExitCode(ExitStatus.badData.rawValue) }
  }

  /// The mornings of the last two weeks, if the reading is stored.
  private static func trend(_ report: MorningReport, at location: StoreLocation?) -> MorningTrend? {
    guard report.storage.hasSession, let location, let reader = try? HistoryReader(location) else {
      return nil
    }
    return try? MorningTrend(
      reader, of: report.result.session.profile ?? "", last: 14, until: report.result.day)
  }

  private func print(_ report: MorningReport, _ trend: MorningTrend?, _ style: TerminalStyle) throws {
    let output = StandardOutput()
    guard !options.view.json else { return try output.write(report.json) }
    let lines =
      options.view.speech.speak
      ? [report.text(style)]
      : report.lines(style, trend: trend, hasDetails: details, width: output.width)
    try output.write(lines.map { $0 + "\n" }.joined())
  }
}

extension MorningPosture: ExpressibleByArgument {}
