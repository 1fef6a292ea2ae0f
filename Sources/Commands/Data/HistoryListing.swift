import HeartRate
import History
import JSONLines
import Terminal

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

  /// The latest last.
  func exercises() throws -> [StoredBreathing] {
    try reader?.breathingExercises(of: profile, matching: filter, limit: limit ?? .max).reversed() ?? []
  }

  /// Journal entries and breathing exercises of the times that are listed: since the first measurement where a limit leaves
  /// out earlier ones. Where measurements are selected by their values or their strap, only those near a listed measurement.
  func notes() throws -> [Timeline.Note] {
    guard let reader else { return [] }
    var (filter, most) = (filter, Int.max)
    let listed = try reader.latestMeasurements(of: profile, matching: filter, limit: limit ?? .max)
    if filter.selectsMeasurements {
      guard let first = listed.last, let last = listed.first else { return [] }
      filter.times = filter.times.clamped(
        to: first.time.advanced(ticks: -Self.nearby)..<last.time.advanced(ticks: Self.nearby))
    } else if let limit {
      if let first = listed.last, listed.count == limit {
        let times = filter.times
        filter.times = max(times.lowerBound, first.time)..<max(first.time, times.upperBound)
      } else if listed.isEmpty {
        most = limit
      }
    }
    let journal = try reader.journal(of: profile, in: filter.times, limit: most)
    let exercises = try reader.breathingExercises(of: profile, matching: filter, limit: most)
    let notes =
      journal.map { Timeline.Note(time: $0.time, words: $0.words) }
      + exercises.map { Timeline.Note(time: $0.time, words: $0.words) }
    return notes.sorted { $0.time < $1.time }
  }

  /// A quarter of an hour, in ticks.
  private static let nearby = 900 * RRInterval.ticksPerSecond

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

extension Collection where Element: ListedRecord {
  /// One object per line.
  func writeJSON(_ output: StandardOutput) throws {
    var line = JSONLine()
    for record in self { line.line { record.put(into: &$0) } }
    try output.write(line.bytes)
  }

  func writeCSV(_ output: StandardOutput) throws {
    try output.write(Element.csvHeading + map(\.csv).joined())
  }
}
