import ArgumentParser
import History
import Localization
import Platform
import Reports
import Terminal

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List stored measurements, sessions, exercises, morning readings and journal entries by time.",
    discussion: """
      Example: stressmon history
      Example: stressmon history --today --category high
      Example: stressmon history --from 2026-11 --to 2026-11-14 --csv
      Example: stressmon history --sessions --week
      Example: stressmon history --breathing --month --csv
      Example: stressmon history --morning --csv
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Show at most the n newest entries (default: 20; with a time filter 500 in a table, all in JSON and CSV).",
      valueName: "n"))
  var limit: Int?

  @Flag(name: .long, help: "List sessions instead of measurements.")
  var sessions = false

  @Flag(name: .long, help: "List breathing exercises instead of measurements.")
  var breathing = false

  @Flag(name: .long, help: "List morning readings instead of measurements.")
  var morning = false

  @Flag(name: .long, help: "Print one JSON object per line.")
  var json = false

  @Flag(name: .long, help: "Print comma-separated values (RFC 4180) with a header line.")
  var csv = false

  @OptionGroup(title: "Filter options") var filter: HistoryFilterOptions
  @OptionGroup(title: commonOptions) var appearance: AppearanceOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if let limit, limit < 1 {
      throw ValidationError.outOfRange("--limit \(limit)", atLeast: "1", example: "--limit 20")
    }
    if json, csv { throw ValidationError.exclusive("--json", "--csv") }
    let lists = [("--sessions", sessions), ("--breathing", breathing), ("--morning", morning)].filter(\.1)
    if lists.count > 1 { throw ValidationError.exclusive(lists[0].0, lists[1].0) }
  }

  func run() throws {
    let environment = ProcessEnvironment.current
    let configuration = try Configuration(environment: environment)
    let location = try store.location(configuration, environment, mustExist: true)
    let listing = HistoryListing(
      reader: try HistoryReader(location), profile: try store.existingProfile(configuration, environment),
      filter: filter.filter,
      limit: limit ?? usualLimit)
    let output = StandardOutput()
    let style = appearance.style(environment, configuration, isTerminal: output.isTerminal)
    let report = HistoryReport(
      profile: listing.profile, path: location.path, isFiltered: filter.isGiven, style: style)
    if sessions {
      try write(listing.sessions(), output) { report.text($0, width: output.width) }
    } else if breathing {
      let list = BreathingList(
        profile: listing.profile, path: location.path, isFiltered: filter.isGiven, style: style)
      try write(listing.exercises(), output) { list.text($0, width: output.width) }
    } else if morning {
      let list = MorningList(
        profile: listing.profile, path: location.path, isFiltered: filter.isGiven, style: style)
      try write(listing.mornings(), output) { list.text($0, width: output.width) }
    } else if json {
      try listing.writeJSON(output)
    } else if csv {
      try listing.writeCSV(output)
    } else {
      try writeTable(listing, report, style, output)
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
    return json || csv || sessions || breathing || morning ? nil : Self.mostRows
  }
}
