import GRDB
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct EventRoundTripTests {
  @Test("Events come back bit for bit", arguments: 1...20 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) async throws {
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
    // A second pass gives the same.
    #expect(stored.elementsEqual(events, by: SessionEvent.isIdentical))
  }

  @Test("A replay from the history gives the measurements of the live session")
  func replay() async throws {
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

  @Test(
    "Events that no program wrote end the replay with an error",
    arguments: [
      "UPDATE session_event SET kind = 77 WHERE sequence = 3",
      "UPDATE session_event SET kind = 4, payload = 300 WHERE sequence = 3",
      "UPDATE session_event SET kind = 3, payload = NULL WHERE sequence = 3",
    ])
  func malformed(sql: String) async throws {
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
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .interval(RRInterval(ticks: .random(in: .min ... .max, using: &random)))
    case 1:
      .link(
        LinkChange(
          LinkChange.State.allCases.randomElement(using: &random) ?? .lost, strap: strap(&random),
          reason: text(&random)))
    case 2:
      .battery(BatteryLevel(percent: .random(in: 0...100, using: &random)) ?? BatteryLevel(payload: [0])!)
    case 3: .mark(text(&random) ?? "")
    default:
      .notification(
        payload: (0..<Int.random(in: 0...20, using: &random)).map { _ in .random(in: 0...255, using: &random)
        })
    }
  }

  private static func strap(_ random: inout SeededGenerator) -> StrapIdentity? {
    guard Bool.random(using: &random) else { return nil }
    var strap = StrapIdentity(address: "", name: text(&random))
    strap.address = text(&random) ?? "c0:00:00:00:00:01"
    return strap
  }

  /// Text with all that breaks text: nothing, NUL, quotes, newlines, composed and decomposed letters.
  private static func text(_ random: inout SeededGenerator) -> String? {
    let pieces = ["", "\0", "'", "\n", "\u{e9}", "e\u{301}", "😀", "%_", "\u{feff}", "plain"]
    let count = Int.random(in: -1...4, using: &random)
    return count < 0 ? nil : (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  /// Equal to the bit: `==` of strings takes composed and decomposed letters for the same.
  static func isIdentical(_ a: SessionEvent, _ b: SessionEvent) -> Bool {
    a == b && String(reflecting: a).unicodeScalars.elementsEqual(String(reflecting: b).unicodeScalars)
  }
}
