import HeartRate
import Platform
import SessionData

/// Reads the RR file of the app Polar Sensor Logger: local time of the phone and RR in ms, separated by a semicolon.
///
///     Phone timestamp;RR-interval [ms]
///     2026-06-01T21:17:07.832;1111
enum PolarLoggerText {
  /// The beginning of all files of the app.
  static let heading = "Phone timestamp;"

  static func session(
    _ source: ByteSource, _ options: RRText.Options, _ mode: SessionEvents.Mode
  ) throws -> FileSession {
    var lines = TextLines(source, .polarLogger)
    let names = try lines.next()?.text.split(separator: ";", omittingEmptySubsequences: false) ?? []
    guard names.first == "Phone timestamp",
      let column = names.firstIndex(where: { $0.hasPrefix("RR-interval") })
    else {
      throw lines.malformed("a heading with RR-interval [ms] is expected; name the app's text of RR", at: 1)
    }
    let reader = RowReader(
      format: .polarLogger, source: source, skipsBadLines: options.skipsBadLines, mode: mode)
    return try reader.session {
      row($0, column)
    }
  }

  private static func row(_ line: Substring, _ column: Int) -> RowReader.Row {
    let cells = line.split(separator: ";", omittingEmptySubsequences: false)
    guard cells.count > column else { return .bad("\(cells.count) columns are too few") }
    guard let time = FileSession.Start(date: cells[0]) else {
      return .bad("no time: \"\(String(cells[0]).withoutControlCharacters)\"")
    }
    guard let rr = RRInterval(millisecondsIn: cells[column]) else {
      return .bad("no RR interval in ms: \"\(String(cells[column]).withoutControlCharacters)\"")
    }
    return .beat(rr, time)
  }
}
