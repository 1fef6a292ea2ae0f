import ArgumentParser
import HeartRate
import History
import Stress
import Terminal

struct Measure: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure",
    abstract: "Take one measurement now, or one every so often.",
    discussion: """
      Sit still and breathe normally. It ends by itself once there is enough, prints one result, and stores that result.
      With --every the strap is disconnected in between, so that it and other devices rest; Ctrl-C ends it. With --simulate \
      the interval passes at --speed, and each reading has the next seed.
      Example: stressmon measure
      Example: stressmon measure --duration 2m --json
      Example: stressmon measure --every 15m --count 8
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How long to measure once beats arrive, 30s to 1h (default: the window).", valueName: "duration"))
  var duration: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("Measure again and again, at these distances, 10s to 1d.", valueName: "duration"))
  var every: DurationArgument?

  @Option(
    name: .long,
    help: ArgumentHelp("With --every: end after so many tries (default: Ctrl-C).", valueName: "n"))
  var count: Int?

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if let duration, !(.seconds(30)...(.seconds(3600))).contains(duration.duration) {
      throw ValidationError(
        """
        '--duration \(duration.duration.shortText)' is out of range: it takes 30s to 1h, because a stress value needs at \
        least 30 s of beats.
        """)
    }
    if let every, !ServiceMode.periods.contains(every.duration) {
      throw ValidationError("'--every \(every.duration.shortText)' is out of range: it takes 10s to 1d.")
    }
    if let count {
      guard every != nil else { throw ValidationError("--count goes with --every, for example --every 15m.") }
      guard count > 0 else {
        throw ValidationError("'--count \(count)' is out of range: it takes 1 and more.")
      }
    }
  }

  func perform() async throws {
    let session = try options.session(duration: nil)
    let taker = ReadingTaker(session, length: duration?.duration)
    let progress = options.view.json ? nil : SystemProgress()
    guard let every = every?.duration else {
      let reading = try await taker.take(progress: progress)
      try show(reading)
      if let failure = reading.failure { throw failure }
      if case .signal(let signal) = reading.end { throw Interruption(signal: signal) }
      return
    }
    try taker.expectToFit(into: every, advice: "Choose a longer --every, or a shorter --duration")
    let readings = RepeatedReadings(every: every, count: count, of: taker) {
      let reading = try await taker.takeWhole($0, progress: nil)
      try showInRow(reading)
      return reading.failure
    }
    let end = try await runUntilInterrupted { try await readings.run() }
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  private func show(_ reading: ReadingTaker.Taken) throws {
    guard !options.view.json else { return try showJSON(reading) }
    let lines =
      options.view.speech.speak
      ? [SpokenReading(style: try style).text(reading.measurement)]
      : ReadingCard(style: try style).lines(reading.measurement, baseline: reading.plan.baseline)
    try StandardOutput().write(lines.map { $0 + "\n" }.joined())
  }

  /// One of several: on one line, with its time.
  private func showInRow(_ reading: ReadingTaker.Taken) throws {
    guard !options.view.json else { return try showJSON(reading) }
    guard !options.view.speech.speak else {
      return try StandardOutput().line(SpokenReading(style: try style).text(reading.measurement))
    }
    let card = ReadingCard(style: try style)
    let time = LocalZone.text(reading.measurement.wall ?? SystemClock.wall)
    try StandardOutput().line("\(time)  \(card.line(reading.measurement))")
  }

  private var style: TerminalStyle {
    get throws { options.view.style(.current, try Configuration(surroundings: .current)) }
  }

  private func showJSON(_ reading: ReadingTaker.Taken) throws {
    let measurement = reading.measurement
    var json = SessionJSON(session: reading.plan.id.text, profile: reading.plan.profile)
    json.put(measurement)
    try json.take { try StandardOutput().write($0) }
  }
}
