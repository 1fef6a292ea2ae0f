package import HeartRate
package import History
package import JSONLines
import Platform

/// A selection of the records of a profile.
package struct HistoryListing {
  /// Absent as long as nothing is stored.
  package let reader: HistoryReader?
  package let profile: String
  private let filter: HistoryFilter
  private let limit: Int?

  /// - Parameter limit: the number of the newest records to list, unless all are listed.
  package init(reader: HistoryReader?, profile: String, filter: HistoryFilter, limit: Int?) {
    (self.reader, self.profile, self.filter, self.limit) = (reader, profile, filter, limit)
  }

  /// A journal entry, a breathing exercise, a morning reading or a night.
  package enum Note: Equatable, Sendable {
    case entry(JournalEntry)
    case exercise(StoredBreathing)
    case morning(StoredMorning)
    case night(StoredNight)

    package var time: WallTime {
      switch self {
      case .entry(let entry): entry.time
      case .exercise(let exercise): exercise.time
      case .morning(let reading): reading.time
      case .night(let night): night.time
      }
    }
  }

  /// The selected sessions, the newest last.
  package func sessions() throws -> [StoredSession] {
    let found = try reader?.sessions(of: profile, matching: filter, limit: limit ?? .max) ?? []
    return found.reversed()
  }

  /// The selected exercises, the newest last.
  package func exercises() throws -> [StoredBreathing] {
    try reader?.breathingExercises(of: profile, matching: filter, limit: limit ?? .max).reversed() ?? []
  }

  /// The selected morning readings, the newest last.
  package func mornings() throws -> [StoredMorning] {
    try reader?.mornings(of: profile, matching: filter, limit: limit ?? .max).reversed() ?? []
  }

  /// The selected nights, the newest last.
  package func nights() throws -> [StoredNight] {
    try reader?.nights(of: profile, matching: filter, limit: limit ?? .max).reversed() ?? []
  }

  /// The selected journal entries whose note or triggers contain `text`, the newest last.
  package func entries(containing text: String) throws -> [JournalEntry] {
    let found = try reader?.journal(of: profile, in: filter.times).filter { $0.contains(text) } ?? []
    return limit.map(found.suffix).map(Array.init) ?? found
  }

  /// Calls `body` with each selected measurement, the newest last.
  package func forEachMeasurement(_ body: (StoredMeasurement) throws -> Void) throws {
    guard let limit else {
      try reader?.forEachMeasurement(of: profile, matching: filter, body)
      return
    }
    let latest = try reader?.latestMeasurements(of: profile, matching: filter, limit: limit) ?? []
    try latest.reversed().forEach(body)
  }

  /// The journal entries, exercises, morning readings and nights in the range of the listed measurements, the newest last.
  ///
  /// The range begins at the first listed measurement if the limit omits earlier ones. If measurements are selected by value
  /// or strap, the range extends a quarter of an hour beyond the listed measurements.
  package func notes() throws -> [Note] {
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
    let mornings = try reader.mornings(of: profile, matching: filter, limit: most)
    let nights = try reader.nights(of: profile, matching: filter, limit: most)
    let readings = mornings.map(Note.morning) + nights.map(Note.night)
    let notes = journal.map(Note.entry) + exercises.map(Note.exercise) + readings
    return notes.sorted { $0.time < $1.time }
  }

  /// A quarter of an hour in ticks.
  private static let nearby = 900 * RRInterval.ticksPerSecond
}

/// A record of the history that is written as JSON and as CSV.
package protocol ListedRecord {
  /// The line with the names of the columns, with its line break.
  static var csvHeading: String { get }
  /// The record as a line of CSV, with its line break.
  var csv: String { get }
  /// Adds the members of the record's JSON object.
  func put(into line: inout JSONLine)
}

extension Collection where Element: ListedRecord {
  /// One object per line.
  package var json: [UInt8] {
    var line = JSONLine()
    for record in self { line.line { record.put(into: &$0) } }
    return line.bytes
  }

  /// A heading and one line per record.
  package var csv: String { Element.csvHeading + map(\.csv).joined() }
}

/// A record whose members of JSON and columns of CSV are the same fields, in the same order.
package protocol FieldRecord: ListedRecord {
  static var fields: [Field<Self>] { get }
}

extension FieldRecord {
  package func put(into line: inout JSONLine) {
    for field in Self.fields { field.value(self).put(field.key, into: &line) }
  }

  package static var csvHeading: String { fields.map(\.key).joined(separator: ",") + "\r\n" }

  package var csv: String { Self.fields.map { $0.value(self).csv }.joined(separator: ",") + "\r\n" }
}

/// The value of a field of a record, for JSON and CSV.
package enum FieldValue {
  case text(String?)
  case integer(Int64?)
  case number(Double?)
  case seconds(SessionTime)
  case truth(Bool?)

  func put(_ key: String, into line: inout JSONLine) {
    switch self {
    case .text(let text): line.put(key, text)
    case .integer(let integer): line.put(key, integer)
    case .number(let number): line.put(key, number)
    case .seconds(let time): line.put(key, seconds: time)
    case .truth(let truth): line.put(key, truth)
    }
  }

  /// The value as a field of RFC 4180; empty for nil and for non-finite numbers.
  package var csv: String {
    switch self {
    case .text(let text): text?.csvField ?? ""
    case .integer(let integer): integer.map { "\($0)" } ?? ""
    case .number(let number): number.flatMap { $0.isFinite ? $0.description : nil } ?? ""
    case .seconds(let time): time.seconds.description
    case .truth(let truth): truth.map(\.description) ?? ""
    }
  }
}

/// A key and a function that reads its value from a record.
package typealias Field<Record> = (key: String, value: @Sendable (Record) -> FieldValue)
