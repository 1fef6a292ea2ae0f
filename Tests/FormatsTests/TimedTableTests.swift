import HeartRate
import SessionData
import TestSupport
import Testing

@testable import Formats

/// Tables with times, with several persons, and of results.
@Suite struct TimedTableTests {
  private static let lengths: [Int64] = (0..<400).map { 800 + $0 * 37 % 90 }

  /// Rows with the time of each beat in ms; after beat 200, a minute is missing.
  private static func rows(gap: Int64 = 60_000) -> [(time: Int64, rr: Int64)] {
    var time: Int64 = 0
    return lengths.enumerated().map { index, rr in
      time += rr + (index == 200 ? gap : 0)
      return (time, rr)
    }
  }

  private static func table(
    _ heading: String, _ separator: String, gap: Int64 = 60_000, _ time: (Int64) -> String
  ) -> String {
    heading + rows(gap: gap).map { "\(time($0.time))\(separator)\($0.rr)\n" }.joined()
  }

  private static func date(_ milliseconds: Int64) -> String {
    String(WallTime(microseconds: 1_780_000_000_000_000 + milliseconds * 1000).rfc3339.dropLast())
  }

  private static let start: Int64 = 1_780_000_000_000

  static let gaps: [String] = [
    table("timestamp,rr_ms\n", ",", date), table("time,rr_ms\n", ",") { "\($0)" },
    table("time;RR_ms\n", ";") { "\(Double($0) / 1000)" },
    table("t\tRR\n", "\t") { "\(Double($0) / 1000)".replacing(".", with: ",") },
    table("\"Date/Time\";\"RR (ms)\"\n", ";") { date($0).replacing("T", with: " ") },
    table("Phone timestamp,HR,RR-interval [ms]\n", ",") { date($0) + "Z,70" },
    table("unix_time,rr\n", ",") { "\(start + $0)" },
    table("epoch,ibi\n", ",") { "\(Double(start + $0) / 1000)" },
    table("clock,nn\n", ",") { String(date($0 + 7_000_000).dropFirst(11)) },
    table("elapsed_us;participant;RR_ms\n", ";P01;") { "\($0 * 1000)" },
    table("", ",") { "\($0)" }, table("", " ") { "\(Double($0) / 1000)" },
    table("timestamp;participant;RR_ms\n", ";P01;", date), table("Zeit;RR\n", ";") { "\($0 / 1000)" },
  ]

  @Test("A gap in the times is a gap of the intervals", arguments: gaps)
  func gap(table: String) throws {
    let text = try RRText(Array(table.utf8))
    #expect(text.intervals.count == 401)
    let found = try #require(text.intervals.max())
    #expect(abs(found.milliseconds - 60_000) < 1500)
    #expect(text.intervals.firstIndex(of: found) == 200)
    #expect(text.intervals.filter { $0 != found }.map(\.milliseconds) == Self.lengths.map(Double.init))
  }

  @Test("Times without a gap change nothing", arguments: [",", ";", "\t"])
  func withoutGap(separator: String) throws {
    for heading in ["timestamp\(separator)rr_ms\n", "time\(separator)ibi\n"] {
      let table = Self.table(heading, separator, gap: 0, Self.date)
      #expect(try RRText(Array(table.utf8)).intervals.map(\.milliseconds) == Self.lengths.map(Double.init))
    }
  }

  @Test func theStartIsThatOfTheFirstInterval() throws {
    let local = try RRText(Array(Self.table("timestamp,rr_ms\n", ",", Self.date).utf8))
    #expect(local.start == .local(WallTime(microseconds: Self.start * 1000)))
    let absolute = try RRText(Array(Self.table("unix_time,rr\n", ",") { "\(Self.start + $0)" }.utf8))
    #expect(absolute.start == .absolute(WallTime(microseconds: Self.start * 1000), utcOffset: nil))
    #expect(try RRText(Array(Self.table("time,rr\n", ",") { "\($0)" }.utf8)).start == nil)
  }

  @Test(
    "Times that cannot be used are an error",
    arguments: [
      table("time,rr_ms\n", ",") { "\($0 * 17)" }, table("time,rr_ms\n", ",") { "at \($0)" },
      table("timestamp,rr_ms\n", ",") { date($0).replacing("-", with: ".") },
      table("timestamp,rr_ms\n", ",") { date($0 / 10) },
    ])
  func unusable(table: String) throws {
    let error = #expect(throws: RRText.BadLine.self) { try RRText(Array(table.utf8)) }
    guard case .times(_, "rr_ms") = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.remedy(path: "x.csv").hasSuffix("--column rr_ms") == true)
    let ignored = try RRText(Array(table.utf8), options: .init(column: "rr_ms"))
    #expect(ignored.intervals.count == 400)
  }

  @Test func aTimeThatGoesBackIsAnError() {
    let once = Self.table("timestamp,rr_ms\n", ",", gap: 0, Self.date)
    let twice = once + once.split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(throws: RRText.BadLine.self) { try RRText(Array(twice.utf8)) }
    var rows = once.split(separator: "\n")
    rows[300] = rows[200]
    let text = rows.joined(separator: "\n")
    let error = #expect(throws: RRText.BadLine.self) { try RRText(Array(text.utf8)) }
    #expect(error?.line == 301 && error?.reason == .time(column: "timestamp", intervals: "rr_ms"))
  }

  @Test(
    "Several persons or conditions are an error",
    arguments: [
      "participant", "Participant_ID", "subject", "subject id", "Subject No", "id", "ID", "person", "patient",
      "name",
      "condition", "group", "session", "filename", "Proband", "sujet", "trial",
    ], [",", ";", "\t"])
  func severalPersons(name: String, separator: String) throws {
    for heading in [
      "\(name)\(separator)rr_ms", "timestamp\(separator)\(name)\(separator)rr_ms",
      "\(name)\(separator)date\(separator)rr",
    ] {
      let columns = heading.components(separator: separator)
      let rows = Self.rows(gap: 0).enumerated().map { index, row in
        columns.map { column in
          switch column {
          case name: index < 200 ? "P01" : "P02"
          case "timestamp", "date": Self.date(row.time)
          default: "\(row.rr)"
          }
        }.joined(separator: separator)
      }
      let bytes = Array(([heading] + rows).joined(separator: "\n").utf8)
      for options in [RRText.Options(), .init(column: columns.last), .init(skipsBadLines: true)] {
        let error = #expect(throws: RRText.BadLine.self) { try RRText(bytes, options: options) }
        guard case .groups(name, ["P01", "P02"], isMore: false, let selection) = error?.reason else {
          Issue.record("\(heading): \(String(describing: error))")
          return
        }
        #expect(selection?.hasPrefix("awk ") == true)
      }
      #expect(FileFormat(head: bytes) == .rr)
    }
  }

  @Test(
    "A table with one person, and one with row numbers, are read",
    arguments: ["id", "participant", "recording"])
  func onePerson(name: String) throws {
    for value in [{ (_: Int) in "P01" }, { "\($0)" }, { "row-\($0)" }] {
      let rows = Self.lengths.enumerated().map { "\(value($0)),\($1)\n" }.joined()
      #expect(try RRText(Array("\(name),rr_ms\n\(rows)".utf8)).intervals.count == 400)
    }
  }

  static let daily = [
    "date,HR,AVNN,SDNN,rMSSD\n2026-01-05,58,1034.5,62,48\n2026-01-06,61,983.6,55,41\n",
    "date,HR,AVNN,SDNN,rMSSD\n2026-01-05 07:12:01,58,1034.5,62,48\n2026-01-06 07:01:44,61,983.6,55,41\n",
    "date,HR,AVNN,SDNN,rMSSD\n2026-01-05,58,1034.5,62,48\n",
    "Datum;RR\n5.1.2026;1034\n6.1.2026;983\n8.1.2026;1001\n",
    "date,rr\n2026-01-05 07:12:01,1034\n2026-01-06 07:01:44,983\n2026-01-07 07:01:44,999\n",
  ]

  @Test("A table of daily results is no list of intervals, also with --column", arguments: daily)
  func results(table: String) throws {
    for column in [nil, "2", "3"] where column == nil || table.contains("HR") {
      let error = #expect(throws: RRText.BadLine.self) {
        try RRText(Array(table.utf8), options: .init(column: column))
      }
      guard case .results = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test func aDailyTableOfIntervalsWithDatesIsRejectedByItsReader() throws {
    let scratch = try Scratch()
    guard case .other(let file) = try OpenedFile(path: try scratch.file(Self.daily[4].utf8)) else {
      Issue.record("another format")
      return
    }
    #expect(file.format == .hrvLogger)
    #expect(throws: FormatError.self) { try file.onlySession() }
  }
}

extension String {
  fileprivate func components(separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
