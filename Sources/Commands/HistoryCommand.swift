import ArgumentParser
import HeartRate
import History
import Recording
import Stress
import Terminal

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show measurements, sessions and journal entries in the order of their times.",
    discussion: """
      Example: stressmon history
      Example: stressmon history --today --category high
      Example: stressmon history --from 2026-11 --to 2026-11-14 --csv
      Example: stressmon history --sessions --week
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only so many, the latest (default: 20; within times asked for 500 in a table, all as JSON and CSV).",
      valueName: "n"))
  var limit: Int?

  @Flag(name: .long, help: "Sessions instead of measurements.")
  var sessions = false

  @Flag(name: .long, help: "One JSON object per line.")
  var json = false

  @Flag(name: .long, help: "Comma-separated values (RFC 4180), with the names of the columns first.")
  var csv = false

  @OptionGroup(title: "Filter") var filter: HistoryFilterOptions
  @OptionGroup(title: "Look") var appearance: AppearanceOptions
  @OptionGroup(title: "Person and store") var store: StoreOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("'--limit \(limit)': it takes 1 or more.") }
    if json, csv { throw ValidationError("Choose one of --json and --csv.") }
  }

  func run() throws {
    let surroundings = Surroundings.current
    let configuration = try Configuration(surroundings: surroundings)
    let location = try store.location(configuration, surroundings)
    let listing = HistoryListing(
      reader: try HistoryReader(location), profile: store.profileName(configuration), filter: filter.filter,
      limit: limit ?? usualLimit)
    let report = HistoryReport(profile: listing.profile, path: location.path, isFiltered: filter.isGiven)
    let output = StandardOutput()
    let style = appearance.style(surroundings, configuration, isTerminal: output.isTerminal)
    switch (sessions, json, csv) {
    case (true, true, _): try listing.sessions().writeJSON(output)
    case (true, _, true):
      try output.write(StoredSession.csvHeading + listing.sessions().map(\.csv).joined())
    case (true, _, _):
      try output.write(
        report.text(listing.sessions(), width: output.width, unicode: style.unicode))
    case (_, true, _): try listing.writeJSON(output)
    case (_, _, true): try listing.writeCSV(output)
    case (_, _, _):
      let timeline = Timeline(journal: try listing.journal(), width: output.width, style: style)
      guard let shown = try listing.write(timeline, output) else {
        return try output.write(report.nothing("measurement"))
      }
      if limit == nil, filter.times.isGiven, shown == Self.mostRows {
        say("Only the latest \(shown) are shown. For all of them: --csv, or --limit \(shown * 20).")
      }
    }
  }

  /// More rows than this nobody reads in a table, and a day has thousands.
  private static let mostRows = 500

  private var usualLimit: Int? {
    guard filter.times.isGiven else { return 20 }
    return json || csv || sessions ? nil : Self.mostRows
  }
}

/// What is listed of a history, and how much of it.
struct HistoryListing {
  /// Nil where nothing is stored yet.
  let reader: HistoryReader?
  let profile: String
  let filter: HistoryFilter
  /// Nil for all.
  let limit: Int?

  /// The latest last.
  func sessions() throws -> [StoredSession] {
    let found = try reader?.sessions(of: profile, matching: filter, limit: limit ?? .max) ?? []
    return found.reversed()
  }

  /// What was written in the times that are listed: with a limit, since the first measurement that is.
  func journal() throws -> [JournalEntry] {
    var times = filter.times
    if let limit, let reader {
      let first = try reader.latestMeasurements(of: profile, matching: filter, limit: limit).last
      guard let first else { return try reader.journal(of: profile, in: times, limit: limit) }
      times = max(times.lowerBound, first.time)..<max(first.time, times.upperBound)
    }
    return try reader?.journal(of: profile, in: times) ?? []
  }

  func writeJSON(_ output: StandardOutput) throws {
    var line = JSONLine()
    try forEach { measurement in
      line.line { measurement.put(into: &$0) }
      try output.write(line.bytes)
      line.clear()
    }
  }

  func writeCSV(_ output: StandardOutput) throws {
    var text = StoredMeasurement.csvHeading
    try forEach { measurement in
      text += measurement.csv
      try flush(&text, output, beyond: Self.chunk)
    }
    try flush(&text, output)
  }

  /// How many measurements were written; nil, and nothing written, when there is nothing to list.
  func write(_ timeline: Timeline, _ output: StandardOutput) throws -> Int? {
    var timeline = timeline
    var text = timeline.headings
    var count = 0
    try forEach { measurement in
      count += 1
      text += try timeline.lines(measurement, describe: describe)
      try flush(&text, output, beyond: Self.chunk)
    }
    let end = timeline.end()
    guard count > 0 || !end.isEmpty else { return nil }
    text += end
    try flush(&text, output)
    return count
  }

  /// Bytes that are written at once.
  private static let chunk = 32_768

  private func flush(_ text: inout String, _ output: StandardOutput, beyond size: Int = 0) throws {
    guard text.utf8.count > size else { return }
    try output.write(text)
    text = ""
  }

  private func forEach(_ body: (StoredMeasurement) throws -> Void) throws {
    guard let limit else {
      try reader?.forEachMeasurement(of: profile, matching: filter, body)
      return
    }
    let latest = try reader?.latestMeasurements(of: profile, matching: filter, limit: limit) ?? []
    try latest.reversed().forEach(body)
  }

  /// What the line of a session says behind its name.
  private func describe(_ session: SessionID) throws -> String {
    guard let info = try reader?.info(of: session) else { return "" }
    let strap = info.strap.map { "  " + ($0.name ?? $0.address).printable } ?? ""
    return info.source == .strap ? strap : strap.isEmpty ? "  \(info.source.rawValue)" : strap
  }
}

extension [StoredSession] {
  fileprivate func writeJSON(_ output: StandardOutput) throws {
    var line = JSONLine()
    for session in self { line.line { session.put(into: &$0) } }
    try output.write(line.bytes)
  }
}
