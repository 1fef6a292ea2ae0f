import HRV
import HeartRate
import LiveSession
import Stress
import TestSupport
import Testing

@testable import Reports

/// The documentation of JSON names every printed key.
@Suite struct DocumentedKeysTests {
  private static let documentation = Documentation.page("json.md")

  /// A session with an event of every kind.
  @Test func keysOfASessionAreDocumented() throws {
    let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "H10")
    let wall = WallTime(rfc3339: "2026-11-21T06:30:00Z")!
    var kinds: [SessionEvent.Kind] = [
      .link(LinkChange(.connected, strap: strap, reason: "words")), .battery(BatteryLevel(percent: 80)!),
      .stream(
        SensorStreamChange(.acceleration, .started, settings: SensorSettings(rate: 25), reason: "words")),
      .mark("words"), .notification(payload: []), .notification(payload: [0x1F, 0x48, 0, 1, 1, 0, 4, 7]),
    ]
    kinds += Array(repeating: .notification(payload: [0x10, 0x48, 0x00, 0x04]), count: 9)
    kinds += [.link(LinkChange(.lost)), .link(LinkChange(.connected))]
    kinds += [.notification(payload: [0x10, 0x48, 0x00, 0x04]), .end]
    for metric in HRVMetric.allCases {
      var encoder = SessionLineEncoder(session: "01K", profile: "me")
      var engine = StressEngine(settings: .init(metric: metric))
      for (second, kind) in kinds.enumerated() {
        let event = SessionEvent(at: SessionTime(ticks: Int64(second) * 80_000_000), wall: wall, kind)
        engine.process(event) { encoder.put($0) }
      }
      try expectDocumented(
        &encoder, types: ["notification", "measurement", "gap", "link", "stream", "mark", "end"])
    }
  }

  private func expectDocumented(_ encoder: inout SessionLineEncoder, types: Set<String>) throws {
    var bytes: [UInt8] = []
    encoder.take { bytes += $0 }
    let lines = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      try JSONValue(String($0))
    }
    #expect(Set(lines.compactMap { $0["type"]?.text }) == types)
    for key in Set(lines.flatMap(Self.keys)) { #expect(Self.documentation.contains("`\(key)`"), "\(key)") }
  }

  /// The keys of a value and of the objects in it.
  private static func keys(_ value: JSONValue) -> [String] {
    value.members.flatMap { [$0] + keys($1) }
  }
}
