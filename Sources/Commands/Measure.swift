import ArgumentParser
import HeartRate
import History
import JSONLines
import LiveSession
import Localization
import NetworkCommands
import Platform
import Reports
import Session
import Stress
import Terminal

struct Measure: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", _superCommandName: Stressmon.name,
    abstract: localized("Take one reading at rest, or one at a regular interval."),
    discussion: localized(
      """
      Sit still and breathe normally. Ends as soon as there are enough beats, prints one result and stores it. q or \
      Ctrl-C ends it earlier; after 30 s of heartbeats there is a result.
      With --every, the strap is disconnected between readings; Ctrl-C ends it. With --simulate, the interval passes \
      at --speed, and each reading has the next seed.
      """) + "\n"
      + examples(
        "stressmon measure",
        "stressmon measure --duration 2m --json",
        "stressmon measure --every 15m --count 8"))

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Measure for this long after the first beat, 30s to 1h (default: the window)."),
      valueName: "duration"))
  var duration: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Repeat the measurement at this interval (10s to 1d)."), valueName: "duration"))
  var every: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(localized("With --every: end after n attempts (default: at Ctrl-C)."), valueName: "n"))
  var count: Int?

  @Flag(name: .long, help: .localized("Show the statistics of the reading."))
  var details = false

  @OptionGroup var electrocardiogram: ECGOption

  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    try duration?.duration.require(
      .seconds(30)...(.seconds(3600)), "--duration", example: "2m",
      because: Phrase("a stress value requires at least 30 s of beats"))
    try every?.duration.require(ServiceMode.periods, "--every", example: "15m")
    if every != nil, options.source.lines != nil { throw ValidationError.exclusive("--every", "--source") }
    try electrocardiogram.validate(options)
    if let count {
      guard every != nil else {
        throw ValidationError.requires("--count", "--every", example: "--every 15m --count \(max(1, count))")
      }
      guard count > 0 else {
        throw ValidationError.outOfRange("--count \(count)", atLeast: "1", example: "--count 8")
      }
    }
  }

  func perform() async throws {
    let context = try CommandContext()
    let style = options.view.style(context)
    let setup = try electrocardiogram.added(to: options.setup(context))
    let session = ReadingSession(setup, length: duration?.duration) { SessionAlerts(onScreen: false) }
    guard let every = every?.duration else {
      return try await measureOnce(session, setup.normalRange, style)
    }
    try session.requireLength(below: every)
    let readings = RepeatedReadings(
      every: every, count: count, clock: session.clock(every: every, count: count),
      canRetry: canRetryReading, report: ReadingSeriesPrinter(every: every, style: style).report
    ) {
      let reading = try await session.takeComplete($0)
      try printLine(reading, setup.normalRange, style)
      return reading.error
    }
    try await readings.runUntilInterrupted()
  }

  private func measureOnce(
    _ session: ReadingSession, _ normal: NormalRange?, _ style: TerminalStyle
  ) async throws {
    let reading: ReadingSession.Result
    do {
      reading = try await take(session, style)
    } catch let ended as EndedReading {
      throw failure(ended, style)
    }
    if let sentence = Self.ending(of: reading) { printDiagnostic(style.localized(sentence)) }
    try printCard(reading, normal, style)
    if let error = reading.error { throw error }
    if case .signal(let signal) = reading.end { throw Interruption(signal: signal) }
  }

  private func take(_ session: ReadingSession, _ style: TerminalStyle) async throws -> ReadingSession.Result {
    guard !options.view.json else { return try await session.take() }
    guard options.view.usesScreen(.current) else {
      return try await session.take(display: { ReadingProgressLines($0, style: style) })
    }
    let screen = ReadingScreen(
      style: style, ending: Phrase("q ends the reading; its result is kept after 30 s of heartbeats"))
    let output = NonblockingOutput(blocks: session.waitsForReaders)
    let display = ReadingDisplay(.screen(screen), bell: false, to: output)
    return try await display.showing {
      try await session.take(
        until: display.untilQuit,
        display: { reading in
          ReadingDisplaySink(display: display) {
            ReadingStage(collected: reading.collected, of: reading.seconds)
          }
        })
    }
  }

  /// How long a reading was that the user ended early, and that its result is stored.
  private static func ending(of reading: ReadingSession.Result) -> Phrase? {
    switch reading.end {
    case .finished, .timeOver: return nil
    case .quit, .signal: break
    }
    let (collected, length) = (reading.collected.fixed(0), reading.length.fixed(0))
    return reading.storage.hasSession
      ? Phrase("The reading ended after \(collected) of \(length) s. Its result is stored.")
      : Phrase("The reading ended after \(collected) of \(length) s. Nothing is stored.")
  }

  private static func text(of ended: EndedReading) -> Phrase {
    guard ended.collected > 0 else { return Phrase("the reading ended before enough heartbeats arrived") }
    let seconds = ended.collected.fixed(0)
    return ended.storage.hasSession
      ? Phrase(
        "the reading ended after \(seconds) s without a result, which requires 30 s. The heartbeats are stored."
      )
      : Phrase(
        "the reading ended after \(seconds) s without a result, which requires 30 s. Nothing is stored.")
  }

  /// The failure of a reading that the user ended before it had a result.
  private func failure(_ ended: EndedReading, _ style: TerminalStyle) -> any Error {
    let text = Self.text(of: ended)
    guard case .signal(let signal) = ended.end else { return CommandFailure(.badData, text) }
    printDiagnostic("stressmon: \(style.localized(text))")
    return Interruption(signal: signal)
  }

  private func printCard(
    _ reading: ReadingSession.Result, _ normal: NormalRange?, _ style: TerminalStyle
  ) throws {
    guard !options.view.json else { return try printJSON(reading, normal) }
    let lines =
      options.view.speech.speak
      ? [spoken(reading, normal, style)]
      : lines(reading, card(reading, normal, style))
    try StandardOutput().write(lines.map { $0 + "\n" }.joined())
  }

  private func lines(_ reading: ReadingSession.Result, _ card: ReadingCard) -> [String] {
    let width = StandardOutput().width
    guard !details else {
      return card.details(reading.measurement, baseline: reading.plan.baseline, width: width)
    }
    return card.lines(
      LiveMeasurement(reading.measurement), isStored: reading.storage == .stored, width: width)
  }

  private func card(
    _ reading: ReadingSession.Result, _ normal: NormalRange?, _ style: TerminalStyle
  ) -> ReadingCard {
    ReadingCard(
      style: style, normal: normal.map { NormalPosition($0) }, isSimulated: reading.plan.source == .simulated)
  }

  private func spoken(
    _ reading: ReadingSession.Result, _ normal: NormalRange?, _ style: TerminalStyle
  ) -> String {
    let text = SpokenReading(style: style, normal: normal.map { NormalPosition($0) }).text(
      LiveMeasurement(reading.measurement))
    return reading.plan.source == .simulated ? "\(text) \(style.localized("Simulated."))" : text
  }

  /// Prints a reading of a series in one line, with its time.
  private func printLine(
    _ reading: ReadingSession.Result, _ normal: NormalRange?, _ style: TerminalStyle
  ) throws {
    guard !options.view.json else { return try printJSON(reading, normal) }
    guard !options.view.speech.speak else {
      return try StandardOutput().line(spoken(reading, normal, style))
    }
    let time = LocalZone.text(reading.measurement.wall ?? SystemClock.wall)
    try StandardOutput().line(
      "\(time)  \(card(reading, normal, style).line(LiveMeasurement(reading.measurement)))")
  }

  private func printJSON(_ reading: ReadingSession.Result, _ normal: NormalRange?) throws {
    var lines = SessionLineEncoder(session: reading.plan.id.text, profile: reading.plan.profile)
    lines.put(reading.measurement) { line in
      if let normal { line.put(normal: normal, rmssd: reading.measurement.rmssd) }
      line.put("simulated", reading.plan.source == .simulated)
    }
    unsafe try lines.take { unsafe try StandardOutput().write($0) }
  }
}
