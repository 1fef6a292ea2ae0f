import HeartRate
import Platform
import SessionData

/// Reads the table that the app HRV Logger exports: a heading, then one comma-separated row per beat with time and RR in ms.
///
///     date,rr,since start                       timestamp,rr,since_start
///     2018-08-28 07:19:33 +0000,1083.98,1083    1700000000000,800,0
///
/// The time is a date with or without an offset from UTC, or milliseconds since 1970.
enum HRVLoggerTable {
  /// Indices of the columns of time and interval.
  struct Columns {
    let time: Int
    let rr: Int

    /// Fails for any other heading, also for one with a column of persons or conditions.
    init?(heading: String) {
      guard !FieldSeparator.comma.fields(Array(heading.utf8)[...]).contains(where: { ColumnName($0).isGroup })
      else {
        return nil
      }
      let names = heading.split(separator: ",", omittingEmptySubsequences: false).map { Self.plain($0) }
      guard names.count >= 2, let rr = names.firstIndex(of: "rr"),
        let time = names.firstIndex(where: { $0 == "date" || $0 == "timestamp" })
      else { return nil }
      (self.time, self.rr) = (time, rr)
    }

    private static func plain(_ name: Substring) -> String {
      name.lowercased().filter { !$0.isWhitespace && $0 != "\"" && $0 != "\u{FEFF}" }
    }
  }

  static func session(
    _ source: ByteSource, _ options: RRText.Options, _ mode: SessionEvents.Mode
  ) throws -> FileSession {
    var lines = TextLines(source, .hrvLogger)
    guard let heading = try lines.next(), let columns = Columns(heading: String(heading.text)) else {
      throw lines.malformed("a heading with date (or timestamp) and rr is expected", at: 1)
    }
    let reader = RowReader(
      format: .hrvLogger, source: source, skipsBadLines: options.skipsBadLines, mode: mode)
    return try reader.session {
      row($0, columns)
    }
  }

  private static func row(_ line: Substring, _ columns: Columns) -> RowReader.Row {
    let cells = line.split(separator: ",", omittingEmptySubsequences: false)
    guard cells.count > max(columns.time, columns.rr) else {
      return .bad("\(cells.count) columns are too few")
    }
    guard let time = time(cells[columns.time]) else {
      return .bad("no time: \"\(String(cells[columns.time]).withoutControlCharacters)\"")
    }
    guard let rr = RRInterval(millisecondsIn: cells[columns.rr].filter { $0 != " " }) else {
      return .bad("no RR interval in ms: \"\(String(cells[columns.rr]).withoutControlCharacters)\"")
    }
    return .beat(rr, time)
  }

  private static func time(_ text: Substring) -> FileSession.Start? {
    if let milliseconds = Int64(text), (0...253_402_300_799_999).contains(milliseconds) {
      return .absolute(WallTime(microseconds: milliseconds * 1000), utcOffset: nil)
    }
    return FileSession.Start(date: text)
  }
}
