import ArgumentParser
import HeartRate
import History
import JSONLines
import Localization
import NetworkCommands
import Platform
import Plot
import Reports
import Session
import Stress
import Terminal

struct NightCommand: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "night", _superCommandName: Stressmon.name,
    abstract: localized("Record a night, and show its HRV, heart rate and respiration in the morning."),
    discussion: localized(
      """
      Wear the strap as during the day, moistened and not tight; q or Ctrl-C ends the session in the morning. The result \
      is one value for the time asleep or lying quietly, compared with your own nights (docs/guide/night.md). It contains \
      no sleep stages. Nights between 21:00 and 09:00 are found in other sessions and in imported files, too.
      """) + "\n\n"
      + examples(
        "stressmon night",
        "stressmon night --until 07:00",
        "stressmon night --last --details",
        "stressmon night --last --plot nights.png",
        "stressmon night --simulate --speed max --duration 8h --json"))

  @Option(
    name: .long,
    help: ArgumentHelp(localized("End at this time of day, such as 07:00."), valueName: "hh:mm"))
  var until: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("End after this time, for example 8h or 7h30m (default: at Ctrl-C)."), valueName: "duration"))
  var duration: DurationArgument?

  @Flag(name: .long, help: .localized("Show the latest stored night instead of recording one."))
  var last = false

  @Flag(name: .long, help: .localized("Show the statistics of the night."))
  var details = false

  @OptionGroup var plot: PlotOptions
  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    try plot.requireFileForForce(example: "nights.png")
    if plot.plot != nil, options.noStore { throw ValidationError.exclusive("--plot", "--no-store") }
    if until != nil, duration != nil { throw ValidationError.exclusive("--until", "--duration") }
    let end = until != nil ? "--until" : duration != nil ? "--duration" : nil
    if last, let other = end ?? options.measuringOption { throw ValidationError.exclusive("--last", other) }
    try duration?.duration.require(.seconds(60)...(.seconds(86_400)), "--duration", example: "8h")
    if let until { _ = try Self.next(until, after: SystemClock.wall) }
  }

  /// The next moment after `now` at which local clocks show `text`, which is hours and minutes.
  static func next(
    _ text: String, after now: WallTime, _ calendar: LocalCalendar = .system
  ) throws(ValidationError) -> WallTime {
    let today = calendar.day(of: now)
    for day in today...today + 1 where text.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9]/) != nil {
      let time = try TimeArgument("\(TrendPeriod.date(day))T\(text)", calendar, now: now)
      if time.start > now { return time.start }
    }
    throw ValidationError(Phrase("--until is a time of day in hours and minutes. Example: --until 07:00"))
  }

  func perform() async throws {
    let context = try CommandContext()
    let style = options.view.style(context)
    guard !last else { return try showLast(context, style) }
    var picture = try plot.open()
    defer { picture?.discard() }
    var setup = try options.setup(context)
    setup.duration = try duration?.duration ?? until.map(Self.duration)
    let isOnScreen = options.view.usesScreen(context.environment)
    if !isOnScreen || !options.source.simulate { printDiagnostic(style.localized(Self.advice)) }
    let output = NonblockingOutput(blocks: setup.source.waitsForReaders)
    let earlier = try setup.history.flatMap { try HistoryReader($0) }
    let drain = try earlier?.batteryDrain(of: setup.profile)
    let hours = setup.duration.map { $0 / .seconds(3600) } ?? Self.usualHours
    if !options.source.simulate {
      let level = try earlier?.lastBatteryLevel(of: setup.profile)
      printDiagnostic(style.localized(BatteryForecast.sentence(level, hours: hours, drain: drain)))
    }
    let display = NightDisplay(
      style: style, isOnScreen: isOnScreen, blanks: context.environment["TERM"] == "linux", to: output
    ) { BatteryForecast($0, hours: hours, drain: drain) }
    let session = NightSession(setup)
    let started = SystemClock.wall
    let outcome = try await display.showing {
      try await session.run(alerts: SessionAlerts(onScreen: isOnScreen), until: display.untilQuit) {
        progress in
        NightDisplaySink(display: display, progress: progress, started: started)
      }
    }
    try finish(outcome, setup, &picture, style)
  }

  private static let usualHours = 9.0
  private static let advice = Phrase(
    """
    Moisten the electrodes, wear the strap snug but not tight, and turn the sensor so that it does not press. \
    Take the strap off if the skin hurts.
    """)

  private static func duration(until text: String) throws -> Duration {
    let now = SystemClock.wall
    let end = try next(text, after: now)
    return .microseconds(end.microseconds - now.microseconds)
  }

  private func finish(
    _ outcome: NightSession.Outcome, _ setup: SessionSetup, _ picture: inout PlotFile?, _ style: TerminalStyle
  ) throws {
    guard let found = outcome.nights else {
      if let error = outcome.error { throw error }
      if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
      throw CommandFailure(
        .noStrap,
        Phrase("no heartbeat was received, so nothing was measured. Find the cause with: stressmon doctor"))
    }
    let isStored = outcome.storage.hasSession
    let reader = isStored ? try setup.history.flatMap { try HistoryReader($0) } ?? nil : nil
    for night in found.nights { try show(night, reader, &picture, style) }
    if found.nights.isEmpty { try printAbsence(found, style) }
    if isStored, !options.view.json {
      printDiagnostic(
        style.localized("Stored. Show it again with: \("stressmon show")"))
    }
    if let error = outcome.error { throw error }
    if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
    if !found.nights.contains(where: { $0.refusal == nil }) { throw ExitCode(ExitStatus.badData.rawValue) }
  }

  private func printAbsence(_ found: SessionNights, _ style: TerminalStyle) throws {
    let output = StandardOutput()
    let reason = found.absence ?? .noWindow
    guard options.view.json else {
      return try output.line(style.localized("No night was found: \(reason.phrase)."))
    }
    var line = JSONLine()
    line.line { line in
      line.put("session", found.session.text)
      line.put("refusal", reason.rawValue)
    }
    try output.write(line.bytes)
  }

  private func showLast(_ context: CommandContext, _ style: TerminalStyle) throws {
    let stored = try ProfileHistory(options.store, context)
    let reader = try stored.reader()
    guard let night = try reader?.nights(of: stored.profile, limit: 1).first else {
      return try StandardOutput().write(
        HistoryReport(profile: stored.profile, path: stored.location.path, style: style)
          .text([StoredNight](), width: nil))
    }
    var picture = try plot.open()
    defer { picture?.discard() }
    try show(night, reader, &picture, style)
  }

  /// Prints the card of a night, and draws the nights of two weeks.
  private func show(
    _ night: StoredNight, _ reader: HistoryReader?, _ picture: inout PlotFile?, _ style: TerminalStyle
  ) throws {
    let report = try NightReport(night, reader)
    let trend = try reader.map { try NightTrend($0, of: night.profile, last: 14, until: night.day) }
    let output = StandardOutput()
    if options.view.json {
      try output.write(report.json)
    } else if options.view.speech.speak {
      try output.line(report.sentences.map(style.localized).joined(separator: " "))
    } else {
      let lines = report.lines(style, trend: trend, hasDetails: details, width: output.width)
      try output.write(lines.map { $0 + "\n" }.joined())
    }
    if let trend { try picture.take()?.write(trend.figure(style.language).nights) }
  }
}
