import HeartRate
import History
import JSONLines
import Localization
import Reports
import Terminal

extension HistoryListing {
  /// Size in bytes from which buffered text is written.
  private static let chunk = 32_768

  func writeJSON(_ output: StandardOutput) throws {
    var line = JSONLine()
    try forEachMeasurement { measurement in
      line.line { measurement.put(into: &$0) }
      try output.write(line.bytes)
      line.clear()
    }
  }

  func writeCSV(_ output: StandardOutput) throws {
    var text = StoredMeasurement.csvHeading
    try forEachMeasurement { measurement in
      text += measurement.csv
      try flush(&text, output, beyond: Self.chunk)
    }
    try flush(&text, output)
  }

  /// Writes the measurements as a table, with the notes between them.
  /// - Returns: the number of measurements. If the listing is empty, writes nothing and returns `nil`.
  func writeTable(width: Int?, style: TerminalStyle, _ output: StandardOutput) throws -> Int? {
    var timeline = Timeline(
      notes: try notes().map { Timeline.Note(time: $0.time, words: $0.summary(style)) }, width: width,
      style: style)
    var text = timeline.headings
    var count = 0
    try forEachMeasurement { measurement in
      count += 1
      text += try timeline.lines(measurement, describe: { try describe($0, style) })
      try flush(&text, output, beyond: Self.chunk)
    }
    let end = timeline.end()
    guard count > 0 || !end.isEmpty else { return nil }
    text += end
    try flush(&text, output)
    return count
  }

  private func flush(_ text: inout String, _ output: StandardOutput, beyond size: Int = 0) throws {
    guard text.utf8.count > size else { return }
    try output.write(text)
    text = ""
  }

  /// The strap or the source of a session, which follows its ID.
  private func describe(_ session: SessionID, _ style: TerminalStyle) throws -> String {
    guard let info = try reader?.info(of: session) else { return "" }
    let strap = info.strap.map { "  " + ($0.name ?? $0.address).printable } ?? ""
    return info.source == .strap ? strap : strap.isEmpty ? "  " + style.localized(info.source.name) : strap
  }
}

extension HistoryListing.Note {
  fileprivate func summary(_ style: TerminalStyle) -> String {
    switch self {
    case .entry(let entry): entry.summary(style)
    case .exercise(let exercise): exercise.summary(style)
    case .morning(let reading): reading.summary(style)
    case .night(let night): style.localized(night.summary)
    }
  }
}

extension JournalEntry {
  func summary(_ style: TerminalStyle = .plain) -> String { style.localized(summary) }
}

extension StoredMorning {
  func summary(_ style: TerminalStyle = .plain) -> String { style.localized(summary) }
}

extension StoredBreathing {
  func summary(_ style: TerminalStyle = .plain) -> String { style.localized(summary) }
}
