import ArgumentParser
import HeartRate
import History
import Plot
import Recording
import Stress
import Terminal

struct TrendsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trends",
    abstract: "Show how stress, HRV and heart rate went over a day, a week, a month or a year.",
    discussion: """
      Days are those of the clock here. HRV is shown against what is normal for you at rest.
      Example: stressmon trends --month
      Example: stressmon trends --year --by week --svg year.svg
      Example: stressmon trends --month --png month.png
      """)

  @Flag(name: .long, help: "The last 24 hours, hour by hour.")
  var day = false

  @Flag(name: .long, help: "Today and the six days before it, day by day (default).")
  var week = false

  @Flag(name: .long, help: "Today and the 29 days before it, day by day.")
  var month = false

  @Flag(name: .long, help: "Today and the 364 days before it, month by month.")
  var year = false

  @Option(
    name: .long,
    help: ArgumentHelp("In other steps than these: hour, day, week or month.", valueName: "step"))
  var by: TrendPeriod.Step?

  @Flag(name: .long, help: "One JSON object for each step, and one for all of them (docs/json.md).")
  var json = false

  @Option(name: .long, help: ArgumentHelp("Draw the charts into this file.", valueName: "file"))
  var svg: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The same as a PNG, for which rsvg-convert has to be installed.", valueName: "file"))
  var png: String?

  @Flag(name: .long, help: "Replace the files where they exist.")
  var force = false

  @OptionGroup(title: "Look") var appearance: AppearanceOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard [day, week, month, year].count(where: \.self) <= 1 else {
      throw ValidationError("Choose one of --day, --week, --month and --year.")
    }
    if day, let by, by != .hour {
      throw ValidationError("--day goes by the hour; leave out '--by \(by.rawValue)'.")
    }
    if force, svg == nil, png == nil {
      throw ValidationError("--force replaces the file of --svg or --png; name one.")
    }
  }

  func run() throws {
    let surroundings = Surroundings.current
    let configuration = try Configuration(surroundings: surroundings)
    let profile = store.profileName(configuration)
    let reader = try HistoryReader(store.location(configuration, surroundings))
    let now = SystemClock.wall
    let metric = configuration[.hrv].flatMap(HRVMetric.init(rawValue:)) ?? .rmssd
    let today = Int(LocalCalendar.system.day(of: now))
    let report = TrendReport(
      profile: profile, trends: try Trends(reader, of: profile, period(now)), metric: metric,
      baseline: try reader?.baseline(of: profile) ?? .prior,
      normal: try reader?.baselineEvidence(of: profile, today: today)?.normalRange(metric))
    try draw(report.figure)
    let output = StandardOutput()
    let style = appearance.style(surroundings, configuration, isTerminal: output.isTerminal)
    try output.write(json ? report.json : report.text(style: style, width: output.width))
  }

  private func draw(_ figure: TrendFigure) throws {
    if let svg { try write(Array(figure.svg.utf8), to: svg) }
    if let png { try write(PNGPicture(svg: figure.svg).bytes, to: png) }
  }

  private func write(_ picture: [UInt8], to path: String) throws {
    try OutputFile(path: path, replacing: force).write(picture)
    say("stressmon: wrote \(path.printable)")
  }

  private func period(_ now: WallTime) -> TrendPeriod {
    if day { return TrendPeriod(hoursUntil: now, .system) }
    let (days, step): (Int64, TrendPeriod.Step) = year ? (365, .month) : month ? (30, .day) : (7, .day)
    return TrendPeriod(days: days, step: by ?? step, until: now, .system)
  }
}

extension TrendPeriod.Step: ExpressibleByArgument {}

extension BaselineEvidence {
  /// Where `metric` usually lies at rest, in ms.
  func normalRange(_ metric: HRVMetric) -> ClosedRange<Double>? {
    switch metric {
    case .rmssd: rmssd.normalRange
    case .sdnn: sdnn.normalRange
    }
  }
}
