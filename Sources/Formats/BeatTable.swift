package import HRV
package import HeartRate
import JSONLines
import Platform
import SessionData

/// Beats of several sessions as a table with one row per RR interval, as `export --format csv` writes it.
///
/// Intervals are exact. The table has no heart rates, sensor contact, battery levels, marks and link changes.
package struct BeatTable: Sendable {
  static let heading = "session,profile,time,monotonic_s,rr_ms,verdict"

  /// Calls `body` with each session. The rows of a session are consecutive and have its name.
  static func sessions(
    _ source: ByteSource, _ mode: SessionEvents.Mode, _ body: (FileSession) throws -> Void
  ) throws {
    var lines = TextLines(source, .csv)
    guard let first = try lines.next(), first.text == heading else {
      throw lines.malformed("the heading \(heading) is expected", at: 1)
    }
    var builder = SessionBuilder(mode)
    while let line = try lines.next() {
      let done: FileSession?
      do {
        done = try builder.append(Row(line.text))
      } catch let error as RowError {
        throw lines.malformed(error.why, at: line.number)
      }
      if let done { try body(done) }
    }
    if let last = builder.finish() { try body(last) }
  }

  private struct RowError: Error { let why: String }

  /// Collects the rows of a session.
  private struct SessionBuilder {
    private let mode: SessionEvents.Mode
    private var session: FileSession?
    private var events: SessionEvents
    private var names: Set<String> = []
    /// Added to all times: beats of the first notification can precede the session, but no time is negative.
    private var shift: Int64 = 0

    init(_ mode: SessionEvents.Mode) { (self.mode, events) = (mode, SessionEvents(mode)) }

    /// Returns the previous session if the row belongs to a new one.
    mutating func append(_ row: Row) throws -> FileSession? {
      let done = session?.header?.session == row.session ? nil : finish()
      if session == nil { try begin(row) }
      let at = SessionTime(ticks: row.at.ticks + shift)
      guard at >= events.last?.at ?? .zero else {
        throw RowError(why: "its time is before that of the line before it")
      }
      try events.append(SessionEvent(at: at, .interval(row.rr)))
      return done
    }

    mutating func finish() -> FileSession? {
      defer { (session, events) = (nil, SessionEvents(mode)) }
      session?.events = events.all
      session?.end()
      return session
    }

    private mutating func begin(_ row: Row) throws(RowError) {
      guard names.insert(row.session).inserted else {
        throw RowError(why: "the rows of a session are not together")
      }
      shift = max(0, -row.at.ticks)
      let started = row.time?.advanced(ticks: -max(0, row.at.ticks))
      var new = FileSession(start: started.map { .absolute($0, utcOffset: nil) })
      new.header = RecordingHeader(session: row.session, profile: row.profile, started: started)
      session = new
    }
  }

  private struct Row {
    let session: String
    let profile: String
    let time: WallTime?
    let at: SessionTime
    let rr: RRInterval

    init(_ line: Substring) throws(RowError) {
      // Only the name of a profile can contain commas; it is then quoted.
      guard let cells = Self.cells(line), cells.count == 6 else {
        throw RowError(why: "six columns are expected")
      }
      guard let rr = RRInterval(millisecondsIn: cells[4]) else { throw RowError(why: "no RR interval in ms") }
      guard let at = Self.seconds(cells[3]) else { throw RowError(why: "no time in seconds") }
      time = WallTime(rfc3339: cells[2])
      guard time != nil || cells[2].isEmpty else { throw RowError(why: "no time in RFC 3339") }
      (session, profile, self.at, self.rr) = (cells[0], cells[1].withoutFormulaPrefix, at, rr)
    }

    /// A time of at most 1e9 s before or after the start of the session.
    private static func seconds(_ text: String) -> SessionTime? {
      let isBefore = text.hasPrefix("-")
      let ticks = DecimalNumber(Array((isBefore ? text.dropFirst() : text[...]).utf8)[...])?.ticks(
        perUnit: RRInterval.ticksPerSecond, limit: 1_000_000_000 * RRInterval.ticksPerSecond)
      return ticks.map { SessionTime(ticks: isBefore ? -$0 : $0) }
    }

    private static func cells(_ line: Substring) -> [String]? {
      var cells = [""]
      var isQuoted = false
      var wasClosed = false
      for character in line {
        switch character {
        case "\"":
          // A doubled quotation mark inside quotation marks is one character.
          if wasClosed { cells[cells.count - 1].append(character) }
          wasClosed = isQuoted
          isQuoted.toggle()
          continue
        case "," where !isQuoted: cells.append("")
        default: cells[cells.count - 1].append(character)
        }
        wasClosed = false
      }
      return isQuoted ? nil : cells
    }
  }
}

extension BeatTable {
  /// The heading, with a line feed.
  package static var headingLine: [UInt8] { Array((heading + "\n").utf8) }

  /// One row per beat of a session: session, profile, end of the beat (wall-clock time, and exact seconds since the start of
  /// the session), exact RR interval and verdict.
  package static func rows(
    of beats: some Sequence<Beat>, session: String, profile: String, started: WallTime
  ) -> [UInt8] {
    let name = Array("\(session),\(profile.withoutControlCharacters.csvField),".utf8)
    var bytes: [UInt8] = []
    for beat in beats {
      bytes += name
      bytes += started.advanced(ticks: beat.end.ticks).rfc3339.utf8
      bytes.append(UInt8(ascii: ","))
      bytes.append(seconds: beat.end)
      bytes.append(UInt8(ascii: ","))
      bytes.append(milliseconds: beat.rr.ticks)
      bytes += ",\(beat.verdict.rawValue)\n".utf8
    }
    return bytes
  }
}

/// Beats of one analysis as comma-separated values: a heading, then one row per RR interval.
///
/// `index` starts at 0. `time_s` is the end of the interval in seconds since the start of the session, `rr_ms` its length;
/// both are exact. `verdict` is a `Verdict`.
package struct BeatCSV: Sendable {
  package let bytes: [UInt8]

  package init(_ beats: some Sequence<Beat>) {
    var bytes = Array("index,time_s,rr_ms,verdict\n".utf8)
    for (index, beat) in beats.enumerated() {
      bytes.appendDigits(of: Int64(index))
      bytes.append(UInt8(ascii: ","))
      bytes.append(seconds: beat.end)
      bytes.append(UInt8(ascii: ","))
      bytes.append(milliseconds: beat.rr.ticks)
      bytes += ",\(beat.verdict.rawValue)\n".utf8
    }
    self.bytes = bytes
  }
}
