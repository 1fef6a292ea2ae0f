import ArgumentParser
import Glibc
import HeartRate
import History
import Recording
import Stress
import Terminal

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Tell what a week was like, beside the week before it.",
    discussion: """
      As Markdown on standard output, or as files; the HTML file needs no other and opens no connection.
      Example: stressmon report
      Example: stressmon report --ending 2026-11-15 --html week.html
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The last of its seven days, such as 2026-11-15 or yesterday (default: today).", valueName: "date"),
    transform: TimeArgument.init(argument:))
  var ending: TimeArgument?

  @Option(name: .long, help: ArgumentHelp("Write a page for browsers into this file.", valueName: "file"))
  var html: String?

  @Option(name: .long, help: ArgumentHelp("Write Markdown into this file.", valueName: "file"))
  var markdown: String?

  @Flag(name: .long, help: "Replace files that exist.")
  var force = false

  @Flag(name: .long, help: "One JSON object (docs/json.md).")
  var json = false

  @OptionGroup var store: StoreOptions

  func validate() throws {
    if force, html == nil, markdown == nil {
      throw ValidationError("--force replaces the files of --html and --markdown; name one.")
    }
  }

  func run() throws {
    let surroundings = Surroundings.current
    let configuration = try Configuration(surroundings: surroundings)
    let reader = try HistoryReader(store.location(configuration, surroundings))
    let calendar = LocalCalendar.system
    let digest = try WeekDigest(
      reader, of: store.profileName(configuration),
      ending: calendar.day(of: ending?.start ?? SystemClock.wall),
      metric: configuration[.hrv].flatMap(HRVMetric.init(rawValue:)) ?? .rmssd, calendar)
    let report = WeekReport(digest: digest)
    let document = report.document
    try write(document.html, to: html)
    try write(document.markdown, to: markdown)
    if json {
      try StandardOutput().write(report.json)
    } else if html == nil, markdown == nil {
      try StandardOutput().write(document.markdown)
    }
  }

  private func write(_ text: String, to path: String?) throws {
    guard let path else { return }
    try OutputFile(path: path, replacing: force).write(Array(text.utf8))
    say("stressmon: wrote \(path.printable)")
  }
}
