import ArgumentParser
import Glibc
import HeartRate
import History
import Platform
import Reports
import Stress
import Terminal

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Print a report of a week, compared with the week before.",
    discussion: """
      Prints Markdown, or writes files. The HTML file is self-contained and opens no network connection.
      Example: stressmon report
      Example: stressmon report --ending 2026-11-15 --html week.html
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The last of the seven days, for example 2026-11-15 or yesterday (default: today).", valueName: "date"),
    completion: Completions.days,
    transform: TimeArgument.init(argument:))
  var ending: TimeArgument?

  @Option(
    name: .long, help: ArgumentHelp("Write an HTML page to this file.", valueName: "file"),
    completion: Completions.files)
  var html: String?

  @Option(
    name: .long, help: ArgumentHelp("Write Markdown to this file.", valueName: "file"),
    completion: Completions.files)
  var markdown: String?

  @Flag(name: .long, help: "Replace existing files.")
  var force = false

  @Flag(name: .long, help: "Print one JSON object (see docs/reference/json.md).")
  var json = false

  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if force, html == nil, markdown == nil {
      throw ValidationError.requires(
        "--force", "--html", or: "--markdown", example: "--html week.html --force")
    }
  }

  func run() throws {
    let environment = ProcessEnvironment.current
    let configuration = try Configuration(environment: environment)
    let reader = try HistoryReader(store.location(configuration, environment, mustExist: true))
    let calendar = LocalCalendar.system
    let week = try WeekReport(
      reader, of: store.existingProfile(configuration, environment),
      ending: calendar.day(of: ending?.start ?? SystemClock.wall),
      metric: configuration.hrvMetric, calendar)
    let document = WeekDocument(week: week, language: environment.language)
    if html != nil || markdown != nil { try writeFiles(document) }
    if json {
      try StandardOutput().write(week.json)
    } else if html == nil, markdown == nil {
      try StandardOutput().write(document.document.markdown)
    }
  }

  private func writeFiles(_ week: WeekDocument) throws {
    let document = week.document
    try write(document.html, to: html)
    try write(document.markdown, to: markdown)
  }

  private func write(_ text: String, to path: String?) throws {
    guard let path else { return }
    try OutputFile(path: path, replacing: force).write(Array(text.utf8))
    printDiagnostic("stressmon: wrote \(path.printable)")
  }
}
