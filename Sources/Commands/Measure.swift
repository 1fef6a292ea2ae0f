import ArgumentParser
import HeartRate
import History
import Platform
import Reports
import Stress
import Terminal

struct Measure: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Take one reading at rest, or one at a regular interval.",
    discussion: """
      Sit still and breathe normally. Ends as soon as there are enough beats, prints one result and stores it.
      With --every, the strap is disconnected between readings; Ctrl-C ends it. With --simulate, the interval passes at \
      --speed, and each reading has the next seed.
      Example: stressmon measure
      Example: stressmon measure --duration 2m --json
      Example: stressmon measure --every 15m --count 8
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Measure for this long after the first beat, 30s to 1h (default: the window).", valueName: "duration"))
  var duration: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("Repeat the measurement at this interval (10s to 1d).", valueName: "duration"))
  var every: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("With --every: end after n attempts (default: at Ctrl-C).", valueName: "n"))
  var count: Int?

  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    try duration?.duration.require(
      .seconds(30)...(.seconds(3600)), "--duration", example: "2m",
      because: "a stress value needs at least 30 s of beats")
    try every?.duration.require(ServiceMode.periods, "--every", example: "15m")
    if let count {
      guard every != nil else {
        throw ValidationError("--count needs --every. Example: --every 15m --count \(max(1, count))")
      }
      guard count > 0 else {
        throw ValidationError("'--count \(count)' is out of range: it takes 1 or more. Example: --count 8")
      }
    }
  }

  func perform() async throws {
    let session = try options.session(duration: nil)
    let taker = ReadingSession(session, length: duration?.duration)
    let progress = options.view.json ? nil : ReadingProgress()
    guard let every = every?.duration else {
      let reading = try await taker.take(progress: progress)
      try show(reading)
      if let failure = reading.failure { throw failure }
      if case .signal(let signal) = reading.end { throw Interruption(signal: signal) }
      return
    }
    try taker.expectToFit(into: every, advice: "Choose a longer --every, or a shorter --duration")
    let readings = RepeatedReadings(
      every: every, count: count, clock: taker.clock(every: every, count: count)
    ) {
      let reading = try await taker.takeWhole($0, progress: nil)
      try showInRow(reading)
      return reading.failure
    }
    let end = try await runUntilInterrupted { try await readings.run() }
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private func show(_ reading: ReadingSession.Taken) throws {
    guard !options.view.json else { return try showJSON(reading) }
    let lines =
      options.view.speech.speak
      ? [SpokenReading(style: try style).text(reading.measurement)]
      : ReadingCard(style: try style).lines(
        reading.measurement, baseline: reading.plan.baseline, width: StandardOutput().width)
    try StandardOutput().write(lines.map { $0 + "\n" }.joined())
  }

  /// One of several: on one line, with its time.
  private func showInRow(_ reading: ReadingSession.Taken) throws {
    guard !options.view.json else { return try showJSON(reading) }
    guard !options.view.speech.speak else {
      return try StandardOutput().line(SpokenReading(style: try style).text(reading.measurement))
    }
    let card = ReadingCard(style: try style)
    let time = LocalZone.text(reading.measurement.wall ?? SystemClock.wall)
    try StandardOutput().line("\(time)  \(card.line(reading.measurement))")
  }

  private var style: TerminalStyle {
    get throws { options.view.style(.current, try Configuration(environment: .current)) }
  }

  private func showJSON(_ reading: ReadingSession.Taken) throws {
    let measurement = reading.measurement
    var json = SessionJSON(session: reading.plan.id.text, profile: reading.plan.profile)
    json.put(measurement)
    try json.take { try StandardOutput().write($0) }
  }
}
