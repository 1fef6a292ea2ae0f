import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct EventRoundTripTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func eventsAreReadExactlyAsStored(seed: UInt64) async throws {
    let history = try TemporaryHistory()
    var random = SeededGenerator(seed: seed)
    let events = (0..<700).map { _ in SessionEvent.random(&random) }
    let info = SessionInfo.sample(seed)
    let writer = SessionWriter(info, at: history.location)
    for event in events { writer.append(event) }
    #expect(await writer.finish(at: .zero) == nil)
    let stored = try reader(history).events(of: info.id)
    #expect(stored.elementsEqual(events, by: SessionEvent.isIdentical))
    #expect(stored.failure == nil)
    // A second iteration gives the same events.
    #expect(stored.elementsEqual(events, by: SessionEvent.isIdentical))
  }

  @Test func replayingStoredEventsGivesTheLiveMeasurements() async throws {
    let history = try TemporaryHistory()
    let info = SessionInfo.sample()
    let writer = SessionWriter(info, at: history.location)
    var live = StressEngine(settings: info.settings, baseline: info.baseline)
    var measured: [StressMeasurement] = []
    for index in 0..<200 {
      writer.append(notification(index))
      live.update(notification(index)) { measured.append($0) }
    }
    _ = await writer.finish(at: notification(200).at)
    let stored = try #require(try reader(history).session(beginningWith: info.id.text))
    var replayed = StressEngine(settings: stored.info.settings, baseline: stored.info.baseline)
    var again: [StressMeasurement] = []
    for event in try reader(history).events(of: info.id) {
      replayed.update(event) { again.append($0) }
    }
    #expect(measured == again)
    #expect(measured.count == 200)
  }

  @Test(arguments: [
    "UPDATE session_event SET kind = 77 WHERE sequence = 3",
    "UPDATE session_event SET kind = 4, payload = 300 WHERE sequence = 3",
    "UPDATE session_event SET kind = 3, payload = NULL WHERE sequence = 3",
  ])
  func aMalformedEventEndsTheReplayWithAnError(sql: String) async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(), at: history.location)
    for index in 0..<10 { writer.append(notification(index)) }
    _ = await writer.finish(at: .zero)
    let connection = try StoreConnection.writable(history.location, lockTimeout: .zero)
    try connection.write { try $0.execute(sql: sql) }
    let events = try reader(history).events(of: SessionInfo.sample().id)
    for _ in events {}
    #expect(events.failure?.code == .corrupt)
  }
}

extension SessionEvent {
  static func random(_ random: inout SeededGenerator) -> SessionEvent {
    let wall =
      Bool.random(using: &random) ? WallTime(microseconds: .random(in: .min ... .max, using: &random)) : nil
    return SessionEvent(
      at: SessionTime(ticks: .random(in: .min ... .max, using: &random)), wall: wall, kind(&random))
  }

  private static func kind(_ random: inout SeededGenerator) -> Kind {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .interval(RRInterval(ticks: .random(in: .min ... .max, using: &random)))
    case 1:
      .link(
        LinkChange(
          LinkChange.State.allCases.randomElement(using: &random) ?? .lost, strap: strap(&random),
          reason: text(&random)))
    case 2:
      .battery(BatteryLevel(percent: .random(in: 0...100, using: &random)) ?? BatteryLevel(payload: [0])!)
    case 3: .mark(text(&random) ?? "")
    case 4: .sensorFrame(payload: frame(&random))
    case 5:
      .stream(
        SensorStreamChange(
          SensorStream.allCases.randomElement(using: &random) ?? .ecg,
          SensorStreamChange.State.allCases.randomElement(using: &random) ?? .started,
          settings: SensorSettings(
            rate: Bool.random(using: &random) ? 25 : nil, resolution: 16,
            range: Bool.random(using: &random) ? 8 : nil, factor: .random(in: 0...2, using: &random)),
          reason: text(&random)))
    default:
      .notification(
        payload: (0..<Int.random(in: 0...20, using: &random)).map { _ in .random(in: 0...255, using: &random)
        })
    }
  }

  /// A frame of acceleration with smooth, constant or random values, or arbitrary bytes.
  private static func frame(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 0...40, using: &random)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return bytes
    case 1: return [2] + (0..<8).map { _ in .random(in: 0...255, using: &random) } + [1] + bytes
    default:
      let spread = [0, 3, 900, 32_768].randomElement(using: &random) ?? 0
      let samples = (0..<count).map { _ in
        Acceleration(
          x: Double(Int.random(in: -spread...spread, using: &random)), y: -970,
          z: Double(Int.random(in: -spread...spread, using: &random)))
      }
      return SensorFrame.encoded(acceleration: samples, timestamp: .random(in: 0 ... .max, using: &random))
    }
  }

  private static func strap(_ random: inout SeededGenerator) -> StrapIdentity? {
    guard Bool.random(using: &random) else { return nil }
    var strap = StrapIdentity(address: "", name: text(&random))
    strap.address = text(&random) ?? "c0:00:00:00:00:01"
    return strap
  }

  /// Difficult text: empty, NUL, quotes, newlines, composed and decomposed letters.
  private static func text(_ random: inout SeededGenerator) -> String? {
    let pieces = ["", "\0", "'", "\n", "\u{e9}", "e\u{301}", "😀", "%_", "\u{feff}", "plain"]
    let count = Int.random(in: -1...4, using: &random)
    return count < 0 ? nil : (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  /// Compares the scalars too, because `==` of strings treats composed and decomposed letters as equal.
  static func isIdentical(_ a: SessionEvent, _ b: SessionEvent) -> Bool {
    a == b && String(reflecting: a).unicodeScalars.elementsEqual(String(reflecting: b).unicodeScalars)
  }
}
