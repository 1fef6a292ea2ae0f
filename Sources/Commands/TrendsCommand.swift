import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Plot
import Reports
import Stress
import Terminal

struct TrendsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trends", _superCommandName: Stressmon.name,
    abstract: localized(
      "Show trends of stress, HRV and heart rate over a day, week, month, year or any other time."),
    discussion: localized(
      """
      Shows the last 7 days, or the days that you select. HRV is shown against your usual range at rest. --morning shows \
      the morning readings and --night the nights instead, of 30 days if no time is given.
      """) + "\n"
      + examples(
        "stressmon trends --month",
        "stressmon trends --year --by week --plot year.svg",
        "stressmon trends --from 2025-09 --to 2026-02",
        "stressmon trends --morning",
        "stressmon trends --night --plot nights.svg"))

  @OptionGroup var times: TimeOptions

  @Flag(name: .long, help: .hidden)
  var day = false

  @Flag(name: .long, help: .localized("Show the morning readings instead, by day."))
  var morning = false

  @Flag(name: .long, help: .localized("Show the nights instead, by day."))
  var night = false

  @Option(
    name: .long,
    help: ArgumentHelp(localized("The step between values."), valueName: "step"))
  var by: TrendPeriod.Step?

  @Flag(
    name: .long,
    help: .localized(
      "Print one JSON object per step, and one for the whole period (see docs/reference/json.md)."))
  var json = false

  @OptionGroup var plot: PlotOptions

  @Option(name: .long, help: .hidden, completion: Completions.files)
  var svg: String?

  @Option(name: .long, help: .hidden, completion: Completions.files)
  var png: String?

  @Flag(name: .long, help: .localized("Show the statistics: extremes, deviations, confidence and artefacts."))
  var details = false

  @Flag(name: .long, help: .localized("Print sentences for a screen reader."))
  var speak = false

  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    _ = try times.days(usual: 7)
    if day, times.isGiven {
      throw ValidationError(Phrase("--day and the other periods exclude each other: leave out all but one."))
    }
    if let by, by != .hour, day || times.today {
      throw ValidationError(Phrase("--today shows hours only: leave out '--by \(by.rawValue)'."))
    }
    if morning, day || by != nil || svg != nil || png != nil {
      throw ValidationError(Phrase("--morning shows one reading per day: leave out --by."))
    }
    if night, morning { throw ValidationError.exclusive("--night", "--morning") }
    if night, day || by != nil || svg != nil || png != nil {
      throw ValidationError(Phrase("--night shows one night per day: leave out --by."))
    }
    if json, speak { throw ValidationError.exclusive("--json", "--speak") }
    if details, let other = json ? "--json" : speak ? "--speak" : nil {
      throw ValidationError.exclusive("--details", other)
    }
    if svg == nil, png == nil { try plot.requireFileForForce(example: "trends.svg") }
  }

  func run() throws {
    let context = try CommandContext()
    let stored = try ProfileHistory(store, context)
    let (profile, reader) = (stored.profile, try stored.reader())
    let now = SystemClock.wall
    let output = StandardOutput()
    let style = appearance.style(context, isTerminal: output.isTerminal)
    if morning || night {
      let days = try times.days(usual: 30, now: now)
      let range = Int(days.lowerBound)..<Int(days.upperBound) + 1
      return night
        ? try print(try NightTrend(reader, of: profile, in: range), \.nights, style, output)
        : try print(try MorningTrend(reader, of: profile, in: range), \.mornings, style, output)
    }
    let metric = context.configuration.hrvMetric
    let today = Int(LocalCalendar.system.day(of: now))
    let period = try period(now)
    let report = try TrendReport(reader, of: profile, period, metric: metric, today: today)
    try draw(report, style.language)
    guard !json else { return try output.write(report.json) }
    try output.write(
      speak ? report.spoken(style) : report.text(style: style, hasDetails: details, width: output.width))
    guard period.step == .day, period.parts.count >= 28 else { return }
    let last = Int(LocalCalendar.system.day(of: period.times.upperBound.moved(seconds: -1)))
    let effects = try DayEffects(reader, of: profile, ending: last, .system).sentences
    for sentence in effects { try output.line(style.localized(sentence)) }
  }

  private func print<Reading>(
    _ trend: DailyTrend<Reading>, _ picture: KeyPath<TrendFigure, String>, _ style: TerminalStyle,
    _ output: StandardOutput
  ) throws {
    try plot.open()?.write(trend.figure(style.language)[keyPath: picture])
    guard !json else { return try output.write(trend.json) }
    try output.write(
      speak ? trend.spoken(style) : trend.text(style: style, hasDetails: details, width: output.width))
  }

  /// Draws the charts to the named files. `--svg` and `--png` are the former names of `--plot`.
  private func draw(_ report: TrendReport, _ language: Language) throws {
    for (name, path, format) in [("--svg", svg, PlotFormat.svg), ("--png", png, .png)] {
      guard let path else { continue }
      printReplacement(of: name, by: "--plot \(path.printable)")
      try PlotFile(path: path, format, replacing: plot.force).write(report.figure(language).svg)
    }
    try plot.open()?.write(report.figure(language).svg)
  }

  private func period(_ now: WallTime) throws -> TrendPeriod {
    if day {
      printReplacement(of: "--day", by: "--today")
      return TrendPeriod(hoursUntil: now, .system)
    }
    let days = try times.days(usual: 7, now: now)
    let usual = times.year ? .month : Self.step(days: days.count)
    return TrendPeriod(fromDay: days.lowerBound, toDay: days.upperBound, step: by ?? usual, .system)
  }
}

extension TrendsCommand {
  /// The step that gives a chart of at most about 60 values.
  private static func step(days: Int) -> TrendPeriod.Step {
    switch days {
    case ...2: .hour
    case ...62: .day
    case ...400: .week
    default: .month
    }
  }
}

extension TrendPeriod.Step: ExpressibleByArgument {}
