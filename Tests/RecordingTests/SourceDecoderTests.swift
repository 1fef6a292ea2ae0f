import HeartRate
import TestSupport
import Testing

@testable import Recording

@Suite struct SourceDecoderTests {
  private static func decode(
    _ lines: [String], timing: SourceDecoder.Timing = .arrival,
    arrivals: [Double] = []
  ) -> (events: [SessionEvent], damage: [RecordingDamage]) {
    var decoder = SourceDecoder(timing: timing)
    var (events, damage): ([SessionEvent], [RecordingDamage]) = ([], [])
    for (index, line) in lines.enumerated() {
      let arrival = SessionTime(seconds: index < arrivals.count ? arrivals[index] : Double(index))!
      let found = decoder.decode(Array(line.utf8), at: arrival) {
        events.append(SessionEvent(at: $0, $1))
      }
      if let found { damage.append(found) }
    }
    return (events, damage)
  }

  private static func measurements(_ lines: [String]) throws -> [HeartRateMeasurement] {
    try decode(lines).events.compactMap {
      guard case .notification(let payload) = $0.kind else { return nil }
      return try HeartRateMeasurement(payload: payload)
    }
  }

  @Test func intervalsBecomeTheNotificationOfAStrap() {
    let (events, damage) = Self.decode([#"{"rr_ms":[812.5,1000],"hr_bpm":74}"#])
    #expect(damage.isEmpty)
    #expect(events.map(\.kind).first == .link(LinkChange(.connected)))
    // 812.5 ms are 832/1024 s (0x0340), 1000 ms are 0x0400; flags: intervals are present.
    #expect(events.last?.kind == .notification(payload: [0x10, 74, 0x40, 0x03, 0x00, 0x04]))
  }

  @Test func aHeartRateWithoutIntervalsIsANotificationWithoutIntervals() throws {
    let found = try Self.measurements([#"{"hr_bpm":61.4}"#])
    #expect(found == [HeartRateMeasurement(heartRate: 61)])
  }

  @Test func withoutAHeartRateItIsThatOfTheLastInterval() throws {
    #expect(try Self.measurements([#"{"rr_ms":[1000,750]}"#]).first?.heartRate == 80)
    #expect(try Self.measurements([#"{"rr_ms":1000}"#]).first?.heartRate == 60)
  }

  @Test func equalIntervalsStayEqual() throws {
    let line = #"{"rr_ms":[810.810811]}"#
    let found = try Self.measurements(Array(repeating: line, count: 200)).flatMap { Array($0.rrIntervals) }
    #expect(Set(found.map(\.ticks)).count == 1)
  }

  @Test func contactAppliesUntilTheNextStatement() throws {
    let found = try Self.measurements([
      #"{"rr_ms":[800]}"#, #"{"contact":false}"#, #"{"contact":true}"#, #"{"rr_ms":[800]}"#,
      #"{"rr_ms":[800],"contact":false}"#,
    ])
    #expect(found.map(\.contact) == [.unsupported, .notDetected, .detected, .notDetected])
    #expect(found[1].heartRate == 0 && found[1].rrIntervals.isEmpty)
  }

  @Test func theSensorIsTheStrapOfTheLink() {
    let (events, _) = Self.decode([#"{"sensor":"ANT+ 4711"}"#, #"{"rr_ms":[800]}"#])
    #expect(
      events.first?.kind
        == .link(LinkChange(.connected, strap: StrapIdentity(address: "ANT+ 4711", name: "ANT+ 4711"))))
    #expect(events.count == 2)
  }

  @Test func linesOfARecordingAreItsEvents() {
    let (events, damage) = Self.decode([
      #"{"type":"header","format":"stressmon-recording","version":1,"strap":"C0:00:00:00:00:01"}"#,
      #"{"type":"link","monotonic_s":1,"state":"connected","strap":"C0:00:00:00:00:01"}"#,
      #"{"type":"notification","monotonic_s":2,"hex":"1634e404"}"#,
      #"{"type":"battery","monotonic_s":3,"battery_percent":80}"#,
      #"{"type":"mark","monotonic_s":3,"text":"tea"}"#, #"{"type":"end","monotonic_s":4}"#,
      #"{"rr_ms":[800]}"#,
    ])
    #expect(
      events.map(\.kind) == [
        .link(LinkChange(.connected, strap: StrapIdentity(address: "C0:00:00:00:00:01"))),
        .notification(payload: [0x16, 0x34, 0xE4, 0x04]), .battery(BatteryLevel(percent: 80)!), .mark("tea"),
        .end,
      ])
    #expect(damage == [RecordingDamage(line: 7, .afterEnd)])
  }

  @Test(
    "Each invalid line is reported with its number and what was expected, and does not affect the others",
    arguments: [
      ("nonsense", "line 2: skipped: not a JSON object: expected an object at byte 0"),
      (#"{"rr_ms":[812"#, "line 2: skipped: not a JSON object"),
      (#"{"rr_ms":["812"]}"#, "line 2: skipped: \"rr_ms\": expected an array of at most 64 intervals"),
      (#"{"rr_ms":[-3]}"#, "line 2: skipped: \"rr_ms\": expected"),
      (#"{"rr_ms":[61000]}"#, "line 2: skipped: \"rr_ms\": expected"),
      (#"{"hr_bpm":"74"}"#, "line 2: skipped: \"hr_bpm\": expected a heart rate from 0 to 1000"),
      (#"{"rr_ms":[800],"t":-1}"#, "line 2: skipped: \"t\": expected seconds from 0 to 1e11"),
      (#"{"rr_ms":[800],"t":1700000000000}"#, "line 2: skipped: \"t\": expected seconds"),
      (#"{"contact":"no"}"#, "line 2: skipped: \"contact\": expected true or false"),
      (#"{"sensor":""}"#, "line 2: skipped: \"sensor\": expected a name"),
      (#"{"rate":74}"#, "line 2: skipped: \"rr_ms\": expected it, \"hr_bpm\""),
      (#"{"type":"wave"}"#, "line 2: skipped: unknown line type \"wave\""),
      (#"{"type":"battery"}"#, "line 2: skipped: \"battery_percent\" is missing or invalid"),
    ])
  func invalidLines(_ line: String, _ message: String) {
    let (events, damage) = Self.decode([#"{"rr_ms":[800]}"#, line, #"{"rr_ms":[801]}"#])
    #expect(damage.count == 1 && damage[0].description.hasPrefix(message), "\(damage)")
    #expect(events.count == 3)
  }

  @Test func timeStampsRemoveTheDelayOfABuffer() {
    // Four seconds of a sender with the Unix time, of which the last three arrive together.
    let lines = (0..<4).map { #"{"rr_ms":[1000],"t":\#(1_700_000_000 + $0)}"# }
    let (events, damage) = Self.decode(lines, arrivals: [10, 13, 13, 13])
    #expect(damage.isEmpty)
    #expect(events.suffix(4).map(\.at.seconds) == [10, 11, 12, 13])
  }

  @Test func timeStampsNeverExceedTheArrival() {
    let lines = [0, 1, 3600].map { #"{"rr_ms":[1000],"t":\#($0)}"# }
    let (events, _) = Self.decode(lines, arrivals: [5, 6, 7])
    #expect(events.suffix(3).map(\.at.seconds) == [5, 6, 7])
  }

  @Test func aClockThatStepsBackIsReportedAndFollowed() {
    let lines = [100, 101, 20, 21].map { #"{"rr_ms":[1000],"t":\#($0)}"# }
    let (events, damage) = Self.decode(lines, arrivals: [5, 6, 7, 8])
    #expect(damage == [RecordingDamage(line: 3, .timeBackwards)])
    #expect(events.suffix(4).map(\.at.seconds) == [5, 6, 7, 8])
  }

  @Test func theLinesOfAFileHaveTheTimesOfTheirStamps() {
    let (events, damage) = Self.decode(
      [
        #"{"sensor":"A"}"#, #"{"rr_ms":[800],"t":50}"#, #"{"rr_ms":[800]}"#, #"{"rr_ms":[800],"t":52.5}"#,
        #"{"rr_ms":[800],"t":1e10}"#, #"{"rr_ms":[800],"t":51}"#,
      ], timing: .stamps)
    #expect(events.map(\.at.seconds) == [0, 0, 2.5, 2.5])
    #expect(damage.map(\.line) == [3, 5, 6])
    #expect(damage[0].description.contains("no arrival times"))
  }

  @Test func stalledSourcesAreReportedOnce() {
    var decoder = SourceDecoder(timing: .arrival)
    #expect(decoder.stalled() == nil)
    _ = decoder.decode(Array(#"{"rr_ms":[800]}"#.utf8), at: .zero) { _, _ in }
    #expect(decoder.stalled() == .link(LinkChange(.stale)))
    #expect(decoder.stalled() == nil)
  }

  @Test func longLinesAreDroppedInBoundedMemory() {
    var splitter = LineBuffer()
    splitter.append(Array("{}\nab".utf8)[...])
    #expect(splitter.next() == .init(bytes: Array("{}".utf8), isTooLong: false))
    #expect(splitter.next() == nil)
    let filler = [UInt8](repeating: 0x41, count: 1 << 14)
    for _ in 0..<100 {
      splitter.append(filler[...])
      #expect(splitter.next() == nil)
    }
    splitter.append(Array("\nlast".utf8)[...])
    #expect(splitter.next() == .init(bytes: [], isTooLong: true))
    #expect(splitter.next() == nil)
    #expect(splitter.rest() == .init(bytes: Array("last".utf8), isTooLong: false))
    #expect(splitter.rest() == nil)
  }
}
