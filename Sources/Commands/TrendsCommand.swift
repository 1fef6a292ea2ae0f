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
    abstract: "Show trends of stress, HRV and heart rate over a day, week, month or year.",
    discussion: """
      Days are local days. HRV is shown against your normal range at rest. --morning shows the morning readings of the \
      period (default: 30 days) with the normal range, the 7-day mean and its CV.
      Example: stressmon trends --month
      Example: stressmon trends --year --by week --svg year.svg
      Example: stressmon trends --month --png month.png
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
    guard [day, week, month, year].count(where: \.self) <= 1 else {
      throw ValidationError(
        Phrase("--day, --week, --month and --year exclude each other: leave out all but one."))
    }
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
    let trend = try MorningTrend(reader, of: profile, last: year ? 365 : week ? 7 : 30, until: today)
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
    let (days, step): (Int64, TrendPeriod.Step) = year ? (365, .month) : month ? (30, .day) : (7, .day)
    return TrendPeriod(days: days, step: by ?? step, until: now, .system)
  }
}

extension TrendPeriod.Step: ExpressibleByArgument {}
