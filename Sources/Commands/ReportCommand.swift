import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Stress
import Terminal

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", _superCommandName: Stressmon.name,
    abstract: localized("Report on the last week or other days, compared with as many days before."),
    discussion: localized(
      """
      Prints text on a terminal, else Markdown, or writes files. The HTML file is self-contained and opens no network \
      connection. --digest prints one sentence about the latest week from Monday to Sunday, compared with the eight weeks \
      before (docs/guide/desktop.md).
      """) + "\n"
      + examples(
        "stressmon report",
        "stressmon report --month",
        "stressmon report --digest",
        "stressmon report --to 2026-11-15 --html week.html"))

  @OptionGroup var times: TimeOptions

  @Option(name: .long, help: .hidden, transform: TimeArgument.init(argument:))
  var ending: TimeArgument?

  @Option(
    name: .long, help: ArgumentHelp(localized("Write an HTML page to this file."), valueName: "file"),
    completion: Completions.files)
  var html: String?

  @Option(
    name: .long, help: ArgumentHelp(localized("Write Markdown to this file."), valueName: "file"),
    completion: Completions.files)
  var markdown: String?

  @Flag(name: .long, help: .localized("Replace existing files."))
  var force = false

  @Flag(name: .long, help: .localized("Print one JSON object (see docs/reference/json.md)."))
  var json = false

  @Flag(
    name: .long,
    help: .localized("Include the statistics: intervals, the days before and the quality of the data."))
  var details = false

  @Flag(name: .long, help: .localized("Print sentences for a screen reader."))
  var speak = false

  @OptionGroup var digest: DigestOptions

  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if ending != nil, times.isGiven {
      throw ValidationError(
        Phrase("--ending and the other periods exclude each other: leave out all but one."))
    }
    if digest.digest, let other = optionWithoutDigest { throw ValidationError.exclusive("--digest", other) }
    if json, let other = speak ? "--speak" : details ? "--details" : nil {
      throw ValidationError.exclusive("--json", other)
    }
    if speak, let other = html.map({ _ in "--html" }) ?? markdown.map({ _ in "--markdown" }) {
      throw ValidationError.exclusive("--speak", other)
    }
    guard try days().count <= Self.mostDays else {
      throw ValidationError(Phrase("a report covers at most a year. Example: --from 2026-01 --to 2026-06"))
    }
    if force, html == nil, markdown == nil {
      throw ValidationError.requires(
        "--force", "--html", or: "--markdown", example: "--html week.html --force")
    }
  }

  /// The first given option that has no effect on a digest.
  private var optionWithoutDigest: String? {
    let options: [(name: String, isGiven: Bool)] = [
      ("--json", json), ("--details", details), ("--html", html != nil), ("--markdown", markdown != nil),
      ("--ending", ending != nil), ("--month", times.month), ("--today", times.today),
      ("--year", times.year), ("--week", times.week), ("--from", times.from != nil),
    ]
    return options.first(where: \.isGiven)?.name
  }

  func run() throws {
    let context = try CommandContext()
    let stored = try ProfileHistory(store, context)
    let (profile, reader) = (stored.profile, try stored.reader())
    if digest.digest {
      return try WeeklyNotice(context: context, profile: profile)
        .run(reader, digest, ending: times.to == nil ? nil : days().upperBound)
    }
    if ending != nil { printReplacement(of: "--ending", by: "--to") }
    let days = try days()
    let report = try PeriodReport(
      reader, of: profile, ending: days.upperBound,
      length: days.count, metric: context.configuration.hrvMetric, .system)
    let output = StandardOutput()
    let style = appearance.style(context, isTerminal: output.isTerminal)
    let document = PeriodDocument(report: report, language: style.language, hasDetails: details).document
    if html != nil || markdown != nil { try writeFiles(document) }
    if json { return try output.write(report.json) }
    guard html == nil, markdown == nil else { return }
    if speak { return try output.write(document.spoken(style)) }
    try output.write(
      output.isTerminal ? document.text(style, width: output.width ?? 80) : document.markdown)
  }

  /// The days of the report, in days since 1970-01-01. `--ending` is the former name of `--to`.
  private func days() throws -> ClosedRange<Int64> {
    guard let ending else { return try times.days(usual: 7) }
    let last = LocalCalendar.system.day(of: ending.start)
    return last - 6...last
  }

  /// Limit of the days of a report.
  private static let mostDays = 366

  private func writeFiles(_ document: ReportDocument) throws {
    try write(document.html, to: html)
    try write(document.markdown, to: markdown)
  }

  private func write(_ text: String, to path: String?) throws {
    guard let path else { return }
    try OutputFile(path: path, replacing: force).write(Array(text.utf8))
    printDiagnostic("stressmon: " + localized("wrote \(path.printable)"))
  }
}

extension ReportDocument {
  /// The document for a terminal, without its figures.
  func text(_ style: TerminalStyle, width: Int) -> String {
    let blocks = self.blocks.map { lines($0, style, width) }.filter { !$0.isEmpty }
    return ([[style.bold(title.printable)]] + blocks).map { $0.map { $0 + "\n" }.joined() }
      .joined(separator: "\n")
  }

  /// The sentences for a screen reader, without tables and figures.
  func spoken(_ style: TerminalStyle) -> String {
    let sentences = blocks.flatMap { block -> [String] in
      switch block {
      case .heading, .table, .figure: []
      case .paragraph(let text): [text.printable]
      case .list(let items): items.map(\.printable)
      }
    }
    return ([title.printable + "."] + sentences).map { $0 + "\n" }.joined()
  }

  private func lines(_ block: Block, _ style: TerminalStyle, _ width: Int) -> [String] {
    switch block {
    case .heading(let text): return [style.bold(text.printable)]
    case .paragraph(let text): return text.printable.wrapped(to: width, unicode: style.unicode)
    case .list(let items): return items.flatMap { item($0.printable, style, width) }
    case .table(let caption, let headings, let rows):
      var table = TextTable(headings.enumerated().map { ($1, $0 == 0 ? .left : .right) })
      for row in rows { table.append(row.map(\.printable)) }
      return caption.printable.wrapped(to: width, unicode: style.unicode)
        + table.lines(width: width, unicode: style.unicode)
    case .figure: return []
    }
  }

  /// An item of a list, whose other lines are indented.
  private func item(_ text: String, _ style: TerminalStyle, _ width: Int) -> [String] {
    text.wrapped(to: max(10, width - 2), unicode: style.unicode).enumerated().map { place, line in
      (place == 0 ? (style.unicode ? "• " : "- ") : "  ") + line
    }
  }
}
