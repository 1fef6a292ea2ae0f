import ArgumentParser
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", _superCommandName: Stressmon.name,
    abstract: localized(
      "List stored sessions, readings, exercises and journal entries by day, or measurements."),
    discussion: localized(
      """
      Lists the last seven days with data: for each day the mean stress value, the time in each category and the mood, \
      and its sessions, readings, exercises and entries.

      --measurements, the filters of measurements, --json and --csv list each measurement.
      """) + "\n"
      + examples(
        "stressmon history",
        "stressmon history --month",
        "stressmon history --measurements --today",
        "stressmon history --category high --week",
        "stressmon history --from 2026-11 --to 2026-11-14 --csv",
        "stressmon history --sessions --week",
        "stressmon history --search wine",
        "stressmon history --breathing --month --csv",
        "stressmon history --morning --csv",
        "stressmon history --night"))

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        Show at most the n newest days (default: 7), or entries (default: 20; with a time filter all, 500 of a table).
        """),
      valueName: "n"))
  var limit: Int?

  @Flag(name: .long, help: .localized("List each measurement, with its number."))
  var measurements = false

  @Flag(name: .long, help: .localized("List sessions only."))
  var sessions = false

  @Flag(name: .long, help: .localized("List breathing exercises only."))
  var breathing = false

  @Flag(name: .long, help: .localized("List morning readings only."))
  var morning = false

  @Flag(name: .long, help: .localized("List nights only."))
  var night = false

  @Flag(name: .long, help: .localized("Print one JSON object per line."))
  var json = false

  @Flag(name: .long, help: .localized("Print comma-separated values (RFC 4180) with a header line."))
  var csv = false

  @Flag(name: .long, help: .localized("Print the days in sentences for a screen reader."))
  var speak = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("List the journal entries whose note or triggers contain this text."), valueName: "text"))
  var search: String?

  @OptionGroup(title: localized("Filter options")) var filter: HistoryFilterOptions
  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if let limit, limit < 1 {
      throw ValidationError.outOfRange("--limit \(limit)", atLeast: "1", example: "--limit 20")
    }
    if json, csv { throw ValidationError.exclusive("--json", "--csv") }
    let lists = [
      ("--measurements", measurements), ("--sessions", sessions), ("--breathing", breathing),
      ("--morning", morning), ("--night", night),
    ].filter(\.1)
    if lists.count > 1 { throw ValidationError.exclusive(lists[0].0, lists[1].0) }
    let other = lists.first?.0 ?? filter.measurementOption ?? (csv ? "--csv" : nil)
    if speak, let other = other ?? (json ? "--json" : nil) {
      throw ValidationError.exclusive("--speak", other)
    }
    guard let search else { return }
    if let other = other ?? (speak ? "--speak" : nil) { throw ValidationError.exclusive("--search", other) }
    guard search.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError(Phrase("--search requires a text. Example: --search wine"))
    }
  }

  func run() throws {
    let context = try CommandContext()
    let stored = try ProfileHistory(store, context)
    let listing = HistoryListing(
      reader: try stored.reader(), profile: stored.profile, filter: filter.filter, limit: limit ?? usualLimit)
    let output = StandardOutput()
    let style = appearance.style(context, isTerminal: output.isTerminal)
    let report = HistoryReport(
      profile: listing.profile, path: stored.location.path, isFiltered: filter.isGiven, style: style)
    if sessions {
      try write(listing.sessions(), output) { report.text($0, width: output.width) }
    } else if breathing {
      try write(listing.exercises(), output) { report.text($0, width: output.width) }
    } else if morning {
      try write(listing.mornings(), output) { report.text($0, width: output.width) }
    } else if night {
      try write(listing.nights(), output) { report.text($0, width: output.width) }
    } else if let search {
      let found = try listing.entries(containing: search)
      try output.write(JournalReport(entries: found, profile: listing.profile), asJSON: json)
    } else if json {
      try listing.writeJSON(output)
    } else if csv {
      try listing.writeCSV(output)
    } else if measurements || filter.filter.selectsMeasurements {
      try writeTable(listing, report, style, output)
    } else {
      let days = try DayListing(
        listing.reader, of: listing.profile, in: filter.times.range(),
        limit: limit ?? (filter.times.isGiven ? nil : 7))
      let table = DayTable(style: style, width: output.width)
      try output.write(
        days.days.isEmpty ? report.noMeasurement : speak ? table.spoken(days) : table.text(days))
    }
  }

  private func write<Record: ListedRecord>(
    _ records: [Record], _ output: StandardOutput, text: ([Record]) -> String
  ) throws {
    if json {
      try output.write(records.json)
    } else if csv {
      try output.write(records.csv)
    } else {
      try output.write(text(records))
    }
  }

  private func writeTable(
    _ listing: HistoryListing, _ report: HistoryReport, _ style: TerminalStyle, _ output: StandardOutput
  ) throws {
    guard let shown = try listing.writeTable(width: output.width, style: style, output) else {
      return try output.write(report.noMeasurement)
    }
    if limit == nil, filter.times.isGiven, shown == Self.mostRows {
      printDiagnostic(
        style.localized(
          "Showing only the latest \(shown). To show all, use --csv or --limit \(shown * 20)."))
    }
  }

  /// The default limit of a table with a time filter, because a day has thousands of measurements.
  private static let mostRows = 500

  private var usualLimit: Int? {
    guard filter.times.isGiven else { return 20 }
    return json || csv || sessions || breathing || morning || night ? nil : Self.mostRows
  }
}
