import HeartRate
import JSONLines
import Platform
import SessionData

/// Beats of several sessions as a table, one row per RR interval: what `export --format csv` writes.
///
/// Intervals are exact. What is no beat (heart rates, contact, battery, marks, the link) is not in it.
package struct BeatTable: Sendable {
  static let heading = "session,profile,time,monotonic_s,rr_ms,verdict"

  /// Sessions are told apart by their names; the rows of one follow one another.
  static func sessions(_ source: ByteSource, _ body: (FileSession) throws -> Void) throws {
    var lines = TextLines(source, .csv)
    guard let first = try lines.next(), first.text == heading else {
      throw lines.flaw("the heading \(heading) is expected", at: 1)
    }
    var gathered = Gathering()
    while let line = try lines.next() {
      let done: FileSession?
      do throws(Flaw) {
        done = try gathered.take(Row(line.text))
      } catch {
        throw lines.flaw(error.why, at: line.number)
      }
      if let done { try body(done) }
    }
    if let last = gathered.finish() { try body(last) }
  }

  private struct Flaw: Error { let why: String }

  /// Puts the rows of a session together.
  private struct Gathering {
    private var session: FileSession?
    private var names: Set<String> = []
    /// What makes times of before the session's beginning (beats that came in its first bundle) none.
    private var shift: Int64 = 0

    /// Returns the session that came to its end with this row.
    mutating func take(_ row: Row) throws(Flaw) -> FileSession? {
      let done = session?.header?.session == row.session ? nil : finish()
      if session == nil { try begin(row) }
      let at = SessionTime(ticks: row.at.ticks + shift)
      guard at >= session?.events.last?.at ?? .zero else {
        throw Flaw(why: "its time is before that of the line before it")
      }
      session?.events.append(SessionEvent(at: at, .interval(row.rr)))
      return done
    }

    mutating func finish() -> FileSession? {
      defer { session = nil }
      session?.end()
      return session
    }

    private mutating func begin(_ row: Row) throws(Flaw) {
      guard names.insert(row.session).inserted else {
        throw Flaw(why: "the rows of a session are not together")
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

    init(_ line: Substring) throws(Flaw) {
      // A profile may have commas in its name and then stands in quotation marks; no other cell may.
      guard let cells = Self.cells(line), cells.count == 6 else {
        throw Flaw(why: "six columns are expected")
      }
      guard let rr = RRInterval(millisecondsIn: cells[4]) else { throw Flaw(why: "no RR interval in ms") }
      guard let at = Self.seconds(cells[3]) else { throw Flaw(why: "no time in seconds") }
      time = WallTime(rfc3339: cells[2])
      guard time != nil || cells[2].isEmpty else { throw Flaw(why: "no time in RFC 3339") }
      (session, profile, self.at, self.rr) = (cells[0], cells[1], at, rr)
    }

    /// Up to 1e9 s from the beginning of the session, before it or after.
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
          // Twice within quotation marks it stands for itself.
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
