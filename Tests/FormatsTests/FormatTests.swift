import HRV
import HeartRate
import JSONLines
import SessionData
import TestSupport
import Testing

@testable import Formats
@testable import Platform
@testable import Recording

/// Files of other programs, written by Tests/Oracles/formats.py from the formats' own documents.
@Suite struct FormatTests {
  private static let fixtures: [(name: String, format: FileFormat)] = [
    ("chained.fit", .fit), ("hrv_logger.csv", .hrvLogger), ("hrv_logger_gap.csv", .hrvLogger),
    ("polar_logger.txt", .polarLogger), ("polar.hrm", .hrm), ("export.xml", .appleHealth),
    ("export.zip", .appleHealth), ("monitor.btsnoop", .btsnoop), ("android.btsnoop", .btsnoop),
  ]

  /// Expected content of one session, from an independent decoder.
  private struct Expected {
    var rr: [Double]
    var start: FileSession.Start?
    var value: JSONValue

    init(_ value: JSONValue) throws {
      self.value = value
      rr = try #require(value["rr_ms"]?.numbers)
      if let local = value["local"]?.text { start = WallTime(rfc3339: local).map { .local($0) } }
      if let time = value["time"]?.text.flatMap({ WallTime(rfc3339: $0) }) {
        start = .absolute(time, utcOffset: value["utc_offset_s"]?.number.map { Int($0) })
      }
    }
  }

  private static func expected(_ path: String) throws -> [Expected] {
    let text = String(decoding: try contents(of: path + ".expected.json"), as: UTF8.self)
    guard case .list(let sessions)? = try JSONValue(text)["sessions"] else { return [] }
    return try sessions.map { try Expected($0) }
  }

  private static func sessions(
    _ path: String, format: FileFormat? = nil, report: (String) -> Void = { _ in }
  ) throws -> [FileSession] {
    guard case .other(let file) = try OpenedFile(path: path, format: format) else { return [] }
    var sessions: [FileSession] = []
    try file.sessions(report: report) { sessions.append($0) }
    return sessions
  }

  @Test(arguments: fixtures) func filesOfOtherProgramsDecodeToTheirContent(name: String, format: FileFormat)
    throws
  {
    let path = fixture("formats/\(name)")
    guard case .other(let file) = try OpenedFile(path: path) else {
      Issue.record("\(name) is recognised as \(format)")
      return
    }
    #expect(file.format == format)
    var sessions: [FileSession] = []
    try file.sessions { sessions.append($0) }
    let expected = try Self.expected(path)
    #expect(sessions.count == expected.count && !expected.isEmpty)
    for (session, expected) in zip(sessions, expected) {
      #expect(session.rr.map(\.milliseconds) == expected.rr)
      #expect(session.start == expected.start)
      #expect(session.events.last?.kind == .end)
      #expect(session.gaps == Int(expected.value["gaps"]?.number ?? 0))
      #expect(session.strap?.address == expected.value["strap"]?.text)
    }
  }

  @Test(arguments: ["monitor.btsnoop", "android.btsnoop"])
  func aCaptureKeepsArrivalTimesAndBytes(name: String) throws {
    let path = fixture("formats/\(name)")
    var reports: [String] = []
    let session = try #require(try Self.sessions(path) { reports.append($0) }.first)
    let expected = try #require(try Self.expected(path).first).value
    guard case .list(let sent)? = expected["notifications"] else { return }
    let arrived = session.events.compactMap { event -> (SessionTime, [UInt8])? in
      guard case .notification(let payload) = event.kind else { return nil }
      return (event.at, payload)
    }
    #expect(arrived.map(\.1) == sent.compactMap { $0["hex"]?.text.map { [UInt8](hex: $0) } })
    #expect(arrived.map { Double($0.0.ticks / 80) } == sent.compactMap { $0["monotonic_us"]?.number })
    #expect(session.events.filter { $0.kind.isLink }.count == 3)
    let battery = session.events.compactMap { event -> Double? in
      if case .battery(let level) = event.kind { Double(level.percent) } else { nil }
    }
    #expect(battery == expected["battery_percent"]?.numbers)
    #expect(reports == [])
  }

  @Test func aTruncatedCaptureIsReadUpToTheTruncation() throws {
    let scratch = try Scratch()
    let bytes = try contents(of: fixture("formats/monitor.btsnoop"))
    var reports: [String] = []
    let path = try scratch.file(bytes.dropLast(600))
    let sessions = try Self.sessions(path) { reports.append($0) }
    #expect(sessions.count == 1 && sessions[0].beats > 40 && sessions[0].beats < 60)
    #expect(reports.count == 1 && reports[0].contains("cut off"))
  }

  @Test(
    .enabled(if: testData != nil, "needs STRESSMON_TEST_DATA"),
    arguments: ["fenix5_run_short", "stryd_run_70min"])
  func realFITFilesDecodeToTheirIntervals(name: String) throws {
    let path = "\(testData ?? "")/fit/\(name)"
    let expected = try JSONValue(String(decoding: contents(of: path + ".expected.json"), as: UTF8.self))
    let sessions = try Self.sessions(path + ".fit")
    #expect(sessions.count == 1)
    #expect(sessions.first?.rr.map(\.milliseconds) == expected["rr_ms"]?.numbers)
  }

  @Test func aFileOfEliteHRVIsReadAsRRText() throws {
    let path = fixture("formats/2026-06-01 07-30-00.txt")
    guard case .rrText(let file) = try OpenedFile(path: path) else {
      Issue.record("RR text")
      return
    }
    let text = try file.text()
    #expect(text.intervals.map(\.milliseconds) == (try Self.expected(path).first?.rr))
  }

  @Test func anExplicitFormatOverridesDetection() throws {
    let scratch = try Scratch()
    let path = try scratch.file("date,rr\n".utf8)
    #expect(throws: FormatError(.noBeats(.hrvLogger), path: path)) { try Self.sessions(path) }
    #expect(throws: FormatError.self) { try Self.sessions(path, format: .fit) }
  }
}

// MARK: - Malformed files

extension FormatTests {
  @Test(arguments: [
    (
      "Phone timestamp;RR-interval [ms]\n2026-01-01T00:00:00.000;800\nxx;1\n", FileFormat.polarLogger,
      FilePlace.line(3)
    ),
    ("Phone timestamp;RR-interval [ms]\n2026-01-01T00:00:00.000;0\n", .polarLogger, .line(2)),
    ("Phone timestamp;HR [bpm]\n", .polarLogger, .line(1)),
    ("date,rr,since start\n2026-01-01 00:00:00,800\n2026-01-01 00:00:01\n", .hrvLogger, .line(3)),
    ("date,rr\n2026-02-30 00:00:00,800\n", .hrvLogger, .line(2)),
    ("[Params]\nInterval=5\n[HRData]\n70\n", .hrm, .line(3)),
    ("[Params]\nInterval=238\n[HRData]\n700\nx\n", .hrm, .line(5)),
    ("<HealthData>\n</HealthDat", .appleHealth, .byte(24)),
    (
      "session,profile,time,monotonic_s,rr_ms,verdict\na,me,,1,800,normal\na,me,,0.5,800,normal\n", .csv,
      .line(3)
    ),
    (
      "session,profile,time,monotonic_s,rr_ms,verdict\na,me,,1,800,normal\nb,me,,1,800,normal\na,me,,2,800,normal\n",
      .csv, .line(4)
    ),
    ("btsnoop\0", .btsnoop, .byte(0)),
  ]) func aMalformedFileIsReportedWithPlaceAndReason(content: String, format: FileFormat, place: FilePlace)
    throws
  {
    let scratch = try Scratch()
    let path = try scratch.file(content.utf8)
    do {
      _ = try Self.sessions(path)
      Issue.record("it was read")
    } catch let error as FormatError {
      guard case .malformed(format, place, let why) = error.code else {
        Issue.record("\(error)")
        return
      }
      #expect(!why.isEmpty)
    }
  }

  @Test func aBadLineOfAFileWithSessionsIsReportedWithItsNumber() throws {
    let scratch = try Scratch()
    let path = try scratch.file(
      (#"{"type":"header","format":"stressmon-sessions","version":1}"# + "\n{}\n").utf8)
    do {
      _ = try Self.sessions(path)
      Issue.record("the file is accepted")
    } catch let error as RecordingError {
      guard case .badLine(2, let why) = error.code else {
        Issue.record("\(error)")
        return
      }
      #expect(!why.isEmpty)
    }
  }

  @Test(
    "Times with the largest possible difference are accepted",
    arguments: [("9999-12-31", "0000-01-01"), ("0000-01-01", "9999-12-31")])
  func farApart(first: String, second: String) throws {
    let scratch = try Scratch()
    let path = try scratch.file("date,rr\n\(first) 00:00:00,800\n\(second) 00:00:00,810\n".utf8)
    let session = try #require(try Self.sessions(path).first)
    #expect(session.rr.map(\.milliseconds) == [800, 810])
    #expect(session.events[0].at <= session.events[1].at)
  }

  @Test func badLinesAreSkippedOnRequest() throws {
    let scratch = try Scratch()
    let path = try scratch.file("date,rr\n2026-01-01 00:00:00,800\nx\n2026-01-01 00:00:01,810\n".utf8)
    guard case .other(let file) = try OpenedFile(path: path, options: .init(skipsBadLines: true)) else {
      return
    }
    let session = try file.onlySession()
    #expect(session.rr.map(\.milliseconds) == [800, 810])
    #expect(session.skipped == 1)
  }

  @Test func aFileWithSeveralSessionsIsNotReadAsOne() throws {
    let path = fixture("formats/chained.fit")
    guard case .other(let file) = try OpenedFile(path: path) else { return }
    #expect(throws: FormatError(.severalSessions(.fit, 2), path: path)) { try file.onlySession() }
  }

  @Test("A truncated FIT file is rejected", arguments: Array(stride(from: 1, to: 843, by: 7)))
  func cutFIT(length: Int) throws {
    let scratch = try Scratch()
    let bytes = try contents(of: fixture("formats/chained.fit"))
    let path = try scratch.file(bytes.prefix(length))
    // Without the complete header, the file is not detected as FIT.
    guard case .other = try? OpenedFile(path: path) else { return }
    #expect(throws: FormatError.self) { try Self.sessions(path) }
  }

  @Test("A FIT file with a changed byte is rejected", arguments: 1...40 as ClosedRange<UInt64>)
  func changedFIT(seed: UInt64) throws {
    let scratch = try Scratch()
    var random = SeededGenerator(seed: seed)
    var bytes = try contents(of: fixture("formats/chained.fit"))
    bytes[Int.random(in: 14..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
    let path = try scratch.file(bytes)
    #expect(throws: FormatError.self) { try Self.sessions(path, format: .fit) }
  }

  @Test("Damaged files are read or rejected and never trap", arguments: fixtures)
  func spoiled(name: String, format: FileFormat) throws {
    let scratch = try Scratch()
    let whole = try contents(of: fixture("formats/\(name)"))
    var random = SeededGenerator(seed: 11)
    for _ in 0..<60 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
        default: bytes.insert(contentsOf: bytes[place...].prefix(5), at: place)
        }
      }
      let path = try scratch.file(bytes)
      do {
        for session in try Self.sessions(path, format: format) {
          #expect(zip(session.events, session.events.dropFirst()).allSatisfy { $0.at <= $1.at })
          #expect(session.beats > 0)
        }
      } catch is FormatError {}
    }
  }
}

// MARK: - Apple Health

extension FormatTests {
  @Test("Tags across chunk boundaries are read")
  func longDocument() throws {
    let scratch = try Scratch()
    var text = "<HealthData>\n"
    for number in 0..<700 {
      let minute =
        "\(number / 60 % 24 < 10 ? "0" : "")\(number / 60 % 24):\(number % 60 < 10 ? "0" : "")\(number % 60)"
      text +=
        #"<Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" startDate="2026-06-01 \#(minute):00 +0200">"#
      text += #"<InstantaneousBeatsPerMinute bpm="60" time="\#(minute):01.00"/>"#
      text += #"<InstantaneousBeatsPerMinute bpm="61" time="\#(minute):01.98"/></Record>"# + "\n"
      if number % 50 == 0 { text += "<!-- <Record> - -->" }
    }
    let sessions = try Self.sessions(try scratch.file((text + "</HealthData>").utf8))
    #expect(sessions.count == 700)
    #expect(sessions.allSatisfy { $0.rr.map(\.milliseconds) == [1000, 980] })
  }

  @Test func timesOfAnotherZoneAndLanguageAreRead() throws {
    let scratch = try Scratch()
    let text = """
      <HealthData><Record startDate="2017-11-22 19:14:47 -0400" type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN">
      <InstantaneousBeatsPerMinute bpm="95" time="6:14:48.94 PM"/><InstantaneousBeatsPerMinute bpm="94" time="18.14.49,58"/>
      </Record></HealthData>
      """
    let session = try #require(try Self.sessions(try scratch.file(text.utf8)).first)
    #expect(session.events.map(\.at.seconds) == [1.94, 2.58, 2.58])
    #expect(session.rr.map(\.milliseconds) == [632, 640])
  }
}

extension FileSession {
  /// All RR intervals in order.
  var rr: [RRInterval] {
    events.flatMap { event -> [RRInterval] in
      switch event.kind {
      case .interval(let rr): [rr]
      case .notification(let payload):
        (try? HeartRateMeasurement(payload: payload)).map { Array($0.rrIntervals) } ?? []
      default: []
      }
    }
  }

  /// Number of gaps, as detected in a session.
  var gaps: Int {
    var stream = BeatStream(classification: .none)
    var count = 0
    for event in events { stream.update(event) { if case .gap = $0 { count += 1 } } }
    return count
  }
}

extension SessionEvent.Kind {
  fileprivate var isLink: Bool { if case .link = self { true } else { false } }
}
