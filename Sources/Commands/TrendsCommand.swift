import ArgumentParser
import HeartRate
import History
import Localization
import Platform
import Plot
import Reports
import Stress
import Terminal

struct TrendsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trends",
    abstract: "Show trends of stress, HRV and heart rate over a day, week, month, year or any other time.",
    discussion: """
      Days are local days. HRV is shown against your normal range at rest. --morning shows the morning readings of the \
      period (default: 30 days) with the normal range, the 7-day mean and its CV.
      Example: stressmon trends --month
      Example: stressmon trends --year --by week --svg year.svg
      Example: stressmon trends --month --png month.png
      Example: stressmon trends --from 2025-09 --to 2026-02
      Example: stressmon trends --morning
      """)

  @Flag(name: .long, help: "Show the last 24 hours by hour.")
  var day = false

  @Flag(name: .long, help: "Show the last 7 days by day, today included (default).")
  var week = false

  @Flag(name: .long, help: "Show the last 30 days by day, today included.")
  var month = false

  @Flag(name: .long, help: "Show the last 365 days by month, today included.")
  var year = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Show the days from this one on: 2026, 2026-11, 2026-11-21 or yesterday.", valueName: "date"),
    completion: Completions.days, transform: TimeArgument.init(argument:))
  var from: TimeArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --from: the last day; a month or a year is included to its end (default: today).",
      valueName: "date"),
    completion: Completions.days, transform: TimeArgument.init(argument:))
  var to: TimeArgument?

  @Flag(name: .long, help: "Show the morning readings instead, by day.")
  var morning = false

  @Option(
    name: .long,
    help: ArgumentHelp("The step between values.", valueName: "step"))
  var by: TrendPeriod.Step?

  @Flag(
    name: .long,
    help: "Print one JSON object per step, and one for the whole period (see docs/reference/json.md).")
  var json = false

  @Option(
    name: .long, help: ArgumentHelp("Draw the charts to this SVG file.", valueName: "file"),
    completion: Completions.files)
  var svg: String?

  @Option(
    name: .long,
    help: ArgumentHelp("Draw the charts to this PNG file (needs rsvg-convert).", valueName: "file"),
    completion: Completions.files)
  var png: String?

  @Flag(name: .long, help: "Replace existing files.")
  var force = false

  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    guard [day, week, month, year, from != nil].count(where: \.self) <= 1 else {
      throw ValidationError(
        Phrase("--day, --week, --month, --year and --from exclude each other: leave out all but one."))
    }
    try validateDays()
    if day, let by, by != .hour {
      throw ValidationError(Phrase("--day shows hours only: leave out '--by \(by.rawValue)'."))
    }
    if morning, day || by != nil || svg != nil || png != nil {
      throw ValidationError(
        Phrase("--morning shows one reading per day as text or JSON: leave out --day, --by, --svg and --png.")
      )
    }
    if force, svg == nil, png == nil {
      throw ValidationError.requires("--force", "--svg", or: "--png", example: "--svg trends.svg --force")
    }
  }

  private func validateDays() throws {
    guard let from else {
      if to != nil {
        throw ValidationError.requires("--to", "--from", example: "--from 2026-01 --to 2026-03")
      }
      return
    }
    let days = days(from, now: SystemClock.wall)
    guard !days.isEmpty else {
      throw ValidationError(Phrase("--from is not before --to. Example: --from 2026-11-01 --to 2026-11-14"))
    }
    guard days.count <= Self.mostDays else {
      throw ValidationError(Phrase("--from and --to are more than 20 years apart. Example: --from 2020"))
    }
  }

  /// Limit of the days of a trend: 20 years.
  private static let mostDays = 20 * 366

  /// The days since 1970-01-01 of `--from` to `--to`, in the local calendar; none if the last one is before the first one.
  private func days(_ from: TimeArgument, now: WallTime) -> Range<Int> {
    let calendar = LocalCalendar.system
    let last = to.map { $0.isMoment ? $0.start : $0.end.moved(seconds: -1) } ?? now
    let (first, end) = (Int(calendar.day(of: from.start)), Int(calendar.day(of: last)) + 1)
    return first..<max(first, end)
  }

  func run() throws {
    let environment = ProcessEnvironment.current
    let configuration = try Configuration(environment: environment)
    let profile = try store.existingProfile(configuration, environment)
    let reader = try HistoryReader(store.location(configuration, environment, mustExist: true))
    let now = SystemClock.wall
    let output = StandardOutput()
    let style = appearance.style(environment, configuration, isTerminal: output.isTerminal)
    if morning { return try printMornings(reader, of: profile, now, style, output) }
    let metric = configuration.hrvMetric
    let today = Int(LocalCalendar.system.day(of: now))
    let report = try TrendReport(reader, of: profile, period(now), metric: metric, today: today)
    try draw(report.figure(style.language))
    try json ? output.write(report.json) : output.write(report.text(style: style, width: output.width))
  }

  private func printMornings(
    _ reader: HistoryReader?, of profile: String, _ now: WallTime, _ style: TerminalStyle,
    _ output: StandardOutput
  ) throws {
    let today = Int(LocalCalendar.system.day(of: now))
    let trend =
      try from.map { try MorningTrend(reader, of: profile, in: days($0, now: now)) }
      ?? MorningTrend(reader, of: profile, last: year ? 365 : week ? 7 : 30, until: today)
    try json ? output.write(trend.json) : output.write(trend.text(style: style, width: output.width))
  }

  private func draw(_ figure: TrendFigure) throws {
    if let svg { try write(Array(figure.svg.utf8), to: svg) }
    if let png { try write(PNGPicture.rendered(svg: figure.svg).bytes, to: png) }
  }

  private func write(_ picture: [UInt8], to path: String) throws {
    try OutputFile(path: path, replacing: force).write(picture)
    printDiagnostic("stressmon: wrote \(path.printable)")
  }

  private func period(_ now: WallTime) -> TrendPeriod {
    if day { return TrendPeriod(hoursUntil: now, .system) }
    if let from {
      let days = days(from, now: now)
      return TrendPeriod(
        fromDay: Int64(days.lowerBound), toDay: Int64(days.upperBound) - 1,
        step: by ?? Self.step(days: days.count), .system)
    }
    let (days, step): (Int64, TrendPeriod.Step) = year ? (365, .month) : month ? (30, .day) : (7, .day)
    return TrendPeriod(days: days, step: by ?? step, until: now, .system)
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
