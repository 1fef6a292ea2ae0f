import HRV
import HeartRate
import JSONLines
import SessionData
import Stress
import Synchronization
import TestSupport
import Testing

@testable import Platform
@testable import Recording

/// Everything that a reader returns for a file.
struct Reading {
  let header: RecordingHeader
  let events: [SessionEvent]
  let damage: [RecordingDamage]

  init(_ path: String) throws {
    final class Reports: Sendable { let all = Mutex<[RecordingDamage]>([]) }
    let reports = Reports()
    let reader = try RecordingReader(path: path)
    header = reader.header
    events = Array(reader.events { damage in reports.all.withLock { $0.append(damage) } })
    damage = reports.all.withLock { $0 }
  }
}

@Suite struct RecordingReaderTests {
  static let header =
    #"{"type":"header","format":"stressmon-recording","version":1,"session":"s","profile":"me"}"# + "\n"

  private func read(_ lines: String, header: String = Self.header) throws -> Reading {
    try read(Array((header + lines).utf8))
  }

  private func read(_ bytes: [UInt8]) throws -> Reading {
    let scratch = try Scratch()
    return try Reading(scratch.file(bytes))
  }

  @Test func theFixtureDecodesToItsEvents() throws {
    let reading = try Reading(fixture("synthetic_session.jsonl"))
    let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "Synthetic strap")
    #expect(
      reading.header
        == RecordingHeader(
          session: "01JD8ZK5Q2", profile: "me", strap: strap,
          started: WallTime(rfc3339: "2026-11-21T07:30:00Z"),
          zone: "Europe/Berlin",
          settings: StressEngine.Settings(window: .seconds(60), metric: .rmssd, classification: .provisional),
          baseline: Baseline(rmssd: 42.5, sdnn: 55.25, restingHeartRate: 58, days: 12, origin: .learned),
          program: "0.1.0"))
    #expect(
      reading.events.map(\.kind) == [
        .link(LinkChange(.searching)), .link(LinkChange(.connected, strap: strap)),
        .battery(try #require(BatteryLevel(percent: 95))),
        .notification(payload: [0x16, 0x34, 0xE4, 0x04]), .notification(payload: [0x06, 0x3C]),
        .mark("stood up \"fast\"\n\u{1B}[2J"),
        .link(LinkChange(.lost, strap: StrapIdentity(address: "C0:00:00:00:00:01"), reason: "out of reach")),
        .end,
      ])
    #expect(
      reading.events.map(\.at.ticks) == [
        0, 152_000_000, 156_000_001, 240_200_000, 321_400_000, 360_000_000, 420_000_000, 720_000_000,
      ])
    #expect(reading.events[3].wall == WallTime(rfc3339: "2026-11-21T07:30:03.0025Z"))
    #expect(reading.damage.isEmpty)
  }

  @Test func aDecodedRecordingEncodesToTheSameBytes() throws {
    let path = fixture("synthetic_session.jsonl")
    let reading = try Reading(path)
    var lines = JSONLine()
    RecordingFormat.write(reading.header, to: &lines)
    for event in reading.events { RecordingFormat.write(event, to: &lines) }
    #expect(try contents(of: path) == lines.bytes)
  }

  @Test func eventsCanBeReadTwice() throws {
    let reader = try RecordingReader(path: fixture("synthetic_session.jsonl"))
    #expect(Array(reader.events()) == Array(reader.events()))
  }

  @Test func anyEventDecodesToItself() throws {
    var random = SeededGenerator(seed: 5)
    var lines = JSONLine()
    RecordingFormat.write(RecordingHeader(session: "s", profile: "p"), to: &lines)
    var events: [SessionEvent] = []
    var at: Int64 = 0
    for _ in 0..<3000 {
      at += Int64.random(in: 0...(1 << 32), using: &random)
      let text = String(
        String.UnicodeScalarView(
          (0..<6).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) }))
      let kind: SessionEvent.Kind
      switch Int.random(in: 0..<7, using: &random) {
      case 0:
        kind = .notification(
          payload: (0..<Int.random(in: 0..<24, using: &random)).map { _ in
            .random(in: 0...255, using: &random)
          })
      case 1:
        kind = .interval(
          RRInterval(ticks: .random(in: 0...24 * 3600 * RRInterval.ticksPerSecond - 1, using: &random)))
      case 2:
        kind = .link(
          LinkChange(
            try #require(LinkChange.State.allCases.randomElement(using: &random)),
            strap: Bool.random(using: &random) ? StrapIdentity(address: "AB:CD", name: text) : nil,
            reason: Bool.random(using: &random) ? text : nil))
      case 3: kind = .battery(try #require(BatteryLevel(percent: .random(in: 0...100, using: &random))))
      case 4:
        kind = .sensorFrame(
          payload: (0..<Int.random(in: 0..<40, using: &random)).map { _ in
            .random(in: 0...255, using: &random)
          })
      case 5:
        kind = .stream(
          SensorStreamChange(
            try #require(SensorStream.allCases.randomElement(using: &random)),
            try #require(SensorStreamChange.State.allCases.randomElement(using: &random)),
            settings: SensorSettings(
              rate: Bool.random(using: &random) ? 25 : nil, resolution: 16,
              factor: .random(in: 0...2, using: &random)), reason: Bool.random(using: &random) ? text : nil))
      default: kind = .mark(text)
      }
      let wall =
        Bool.random(using: &random) ? WallTime(microseconds: .random(in: 0...(1 << 52), using: &random)) : nil
      events.append(SessionEvent(at: SessionTime(ticks: at), wall: wall, kind))
      RecordingFormat.write(try #require(events.last), to: &lines)
    }
    let reading = try read(lines.bytes)
    #expect(reading.events == events && reading.damage.isEmpty)
  }

  /// An H10 sends 36 samples of 16 bits and three axes in a frame of 226 bytes.
  @Test func anAccelerationSampleTakesAtMostTwelveBytes() throws {
    let samples = (0..<36).map { Acceleration(x: Double(-$0), y: 32767, z: -1000) }
    let frame = SensorFrame.encoded(acceleration: samples, timestamp: .max)
    var lines = JSONLine()
    let day = try #require(SessionTime(seconds: 86_399.999999))
    RecordingFormat.write(
      SessionEvent(at: day, wall: WallTime(microseconds: 1 << 50), .sensorFrame(payload: frame)), to: &lines)
    #expect(lines.bytes.count <= 12 * samples.count)
  }

  // MARK: Damage

  @Test(arguments: [
    (#"{"type":"mark","monotonic_s":1,"te"#, RecordingDamage.Reason.tornLastLine, 1),
    (#"{"type":"mark","monotonic_s":1,"text":"x"}"#, .unterminatedLastLine, 2),
  ]) func anIncompleteLastLineIsReportedAndOtherLinesAreKept(
    last: String, reason: RecordingDamage.Reason, kept: Int
  ) throws {
    let reading = try read(#"{"type":"mark","monotonic_s":0.5,"text":"whole"}"# + "\n" + last)
    #expect(reading.events.count == kept)
    #expect(reading.damage == [RecordingDamage(line: 3, reason)])
  }

  @Test(arguments: [
    ("hello", RecordingDamage.Reason.notJSON(expected: "an object", offset: 0)),
    (#"{"type":"mark","#, .notJSON(expected: "a string", offset: 15)),
    (#"{"type":"dance","monotonic_s":1}"#, .unknownType("dance")), ("{}", .unknownType(nil)),
    (#"{"type":7,"monotonic_s":1}"#, .unknownType(nil)),
    (#"{"type":"end"}"#, .badMember("monotonic_s")),
    (#"{"type":"end","monotonic_s":-1}"#, .badMember("monotonic_s")),
    (#"{"type":"end","monotonic_s":1e300}"#, .badMember("monotonic_s")),
    (#"{"type":"end","monotonic_s":"1"}"#, .badMember("monotonic_s")),
    (#"{"type":"end","monotonic_s":1,"time":"yesterday"}"#, .badMember("time")),
    (#"{"type":"notification","monotonic_s":1}"#, .badMember("rr_ms")),
    (#"{"type":"notification","monotonic_s":1,"hex":"1"}"#, .badMember("hex")),
    (#"{"type":"notification","monotonic_s":1,"hex":"xy"}"#, .badMember("hex")),
    (#"{"type":"notification","monotonic_s":1,"rr_ms":[]}"#, .badMember("rr_ms")),
    (#"{"type":"notification","monotonic_s":1,"rr_ms":[1e30]}"#, .badMember("rr_ms")),
    (#"{"type":"link","monotonic_s":1,"state":"gone"}"#, .badMember("state")),
    (#"{"type":"link","monotonic_s":1,"state":"lost","strap":1}"#, .badMember("strap")),
    (#"{"type":"battery","monotonic_s":1,"battery_percent":101}"#, .badMember("battery_percent")),
    (#"{"type":"mark","monotonic_s":1,"text":"\ud800"}"#, .badMember("text")),
  ]) func anInvalidLineIsSkippedAndReportedWithItsNumber(line: String, reason: RecordingDamage.Reason) throws
  {
    let good = #"{"type":"mark","monotonic_s":1,"text":"x"}"# + "\n"
    let reading = try read(good + line + "\n" + good)
    #expect(reading.events.count == 2)
    #expect(reading.damage == [RecordingDamage(line: 3, reason)])
  }

  @Test func aDecreasingTimeIsReportedAndReplacedByThePreviousOne() throws {
    let reading = try read(
      #"{"type":"mark","monotonic_s":5,"text":"a"}"# + "\n" + #"{"type":"mark","monotonic_s":4,"text":"b"}"#
        + "\n")
    #expect(reading.events.map(\.at) == [SessionTime(ticks: 400_000_000), SessionTime(ticks: 400_000_000)])
    #expect(reading.damage == [RecordingDamage(line: 3, .timeBackwards)])
  }

  @Test func zeroBytesAreReportedAndTheFollowingLineIsRead() throws {
    let good = Array((#"{"type":"mark","monotonic_s":1,"text":"x"}"# + "\n").utf8)
    let zeros = [UInt8](repeating: 0, count: 200_000)
    let inside = try read(Array(Self.header.utf8) + good + zeros + good)
    #expect(inside.events.count == 2)
    #expect(inside.damage == [RecordingDamage(line: 3, .zeros(200_000))])
    let atEnd = try read(Array(Self.header.utf8) + good + zeros)
    #expect(atEnd.events.count == 1)
    #expect(atEnd.damage == [RecordingDamage(line: 3, .zeros(200_000))])
  }

  @Test func aLineAboveTheLimitIsSkipped() throws {
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: LineReader.longestLine + 70_000)
    let good = Array((#"{"type":"mark","monotonic_s":1,"text":"x"}"# + "\n").utf8)
    let reading = try read(Array(Self.header.utf8) + long + [10] + good)
    #expect(reading.events.count == 1)
    #expect(reading.damage == [RecordingDamage(line: 2, .lineTooLong(limit: LineReader.longestLine))])
  }

  @Test func readingStopsAtASecondHeader() throws {
    let reading = try read(
      #"{"type":"end","monotonic_s":5}"# + "\n" + Self.header + #"{"type":"mark","monotonic_s":1,"text":"x"}"#
        + "\n")
    #expect(reading.events.map(\.kind) == [.end])
    #expect(reading.damage == [RecordingDamage(line: 3, .secondHeader)])
  }

  @Test func linesAfterTheEndAreReported() throws {
    let reading = try read(
      #"{"type":"end","monotonic_s":5}"# + "\n" + #"{"type":"end","monotonic_s":6}"# + "\n")
    #expect(reading.events.count == 1)
    #expect(reading.damage == [RecordingDamage(line: 3, .afterEnd)])
  }

  @Test func unknownMembersAndEmptyLinesAreIgnored() throws {
    let reading = try read("\n" + #"{"later":[{}],"type":"end","monotonic_s":5,"reason":null}"# + "\r\n")
    #expect(reading.events.map(\.kind) == [.end] && reading.damage.isEmpty)
  }

  // MARK: Header

  @Test(arguments: [
    ("{}\n", RecordingError.Code.notARecording), (#"{"type":"header"}"# + "\n", .notARecording),
    ("{\n", .notARecording),
    (#"{"type":"header","format":"stressmon-recording"}"# + "\n", .badHeader("it has no \"version\"")),
    (#"{"type":"header","format":"stressmon-recording","version":2}"# + "\n", .newerVersion(2)),
    (
      #"{"type":"header","format":"stressmon-recording","version":0}"# + "\n",
      .badHeader("there is no version 0")
    ),
  ]) func aFileWithoutAValidHeaderIsRejected(text: String, code: RecordingError.Code) throws {
    let scratch = try Scratch()
    let path = try scratch.file(Array(text.utf8))
    #expect(throws: RecordingError(code, path: path)) { try RecordingReader(path: path) }
  }

  @Test func anEmptyFileIsRejected() throws {
    let scratch = try Scratch()
    let path = try scratch.file([])
    #expect(throws: FileError(.empty, path: path)) { try RecordingReader(path: path) }
  }

  @Test func invalidSettingsAreReportedAndReplacedByDefaults() throws {
    let header =
      #"{"type":"header","format":"stressmon-recording","version":1,"settings":{"window_s":1e9,"hrv":"x","raw":true},"#
      + #""baseline":{"baseline_rmssd_ms":-3,"resting_hr_bpm":70,"days":2,"weight":1.5,"source":"manual"}}"#
      + "\n"
    let reading = try read("", header: header)
    #expect(reading.header.settings == StressEngine.Settings(classification: .none))
    #expect(
      reading.header.baseline == Baseline(rmssd: 50, sdnn: 50, restingHeartRate: 70, days: 2, origin: .manual)
    )
    #expect(
      reading.damage
        == ["window_s", "hrv", "baseline_rmssd_ms", "weight"].map {
          RecordingDamage(line: 1, .badSetting($0))
        })
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func anyBytesAreReadOrThrow(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let original = try contents(of: fixture("synthetic_session.jsonl"))
    let scratch = try Scratch()
    for _ in 0..<250 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...20, using: &random) where !bytes.isEmpty {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[at] = .random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...200, using: &random)))
        case 2: bytes.insert(contentsOf: bytes[at...].prefix(50), at: at)
        case 3: bytes[at] = 0
        default: bytes.insert(.random(in: 0...255, using: &random), at: at)
        }
      }
      let path = try scratch.file(bytes)
      guard let reading = try? Reading(path) else { continue }
      #expect(zip(reading.events, reading.events.dropFirst()).allSatisfy { $0.at <= $1.at })
      _ = reading.damage.map(\.description)
    }
  }
}
