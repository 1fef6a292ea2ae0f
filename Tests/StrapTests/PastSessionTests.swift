import HeartRate
import Testing

@testable import Strap

@Suite struct PastSessionTests {
  private static func event(_ seconds: Int64, _ kind: SessionEvent.Kind) -> SessionEvent {
    SessionEvent(at: SessionTime(ticks: seconds * RRInterval.ticksPerSecond), kind)
  }

  @Test func linkDurationsExtendFromConnectedToLost() {
    let past = PastSession(
      FindingTests.strap,
      events: [
        Self.event(1, .link(LinkChange(.connected))), Self.event(20, .link(LinkChange(.stale))),
        // Connected again without having been lost: the same link.
        Self.event(30, .link(LinkChange(.connected))), Self.event(151, .link(LinkChange(.lost, reason: "a"))),
        Self.event(160, .link(LinkChange(.lost, reason: "a"))),
        Self.event(170, .link(LinkChange(.connected))),
        Self.event(321, .link(LinkChange(.lost, reason: "b"))),
        Self.event(330, .link(LinkChange(.connected))),
        Self.event(331, .end),
      ])
    #expect(past.linkLengths == [.seconds(150), .seconds(151)])
    #expect(past.commonLinkLength == .seconds(150))
    #expect(past.reasons == ["a", "b"])
  }

  @Test(
    arguments: [
      ([], nil), ([150], nil), ([150, 150], 150), ([150, 160], nil), ([5, 5, 5], nil), ([30, 31, 33], 30),
    ] as [([Int], Int?)])
  func onlySimilarDurationsHaveACommonLength(_ lengths: [Int], _ common: Int?) {
    var past = PastSession(FindingTests.strap)
    past.linkLengths = lengths.map { .seconds($0) }
    #expect(past.commonLinkLength == common.map { .seconds($0) })
  }

  @Test func missingRRIntervalsAreReportedAfter30Notifications() {
    func past(_ payloads: [[UInt8]]) -> PastSession {
      PastSession(
        FindingTests.strap,
        events: payloads.enumerated().map { Self.event(Int64($0), .notification(payload: $1)) })
    }
    let rateOnly: [UInt8] = [0x00, 0x48]
    #expect(!past(Array(repeating: rateOnly, count: 29)).lacksRR)
    #expect(past(Array(repeating: rateOnly, count: 30)).lacksRR)
    #expect(!past(Array(repeating: rateOnly, count: 30) + [[0x10, 0x48, 0x00, 0x04]]).lacksRR)
    // A strap that is not worn, and malformed payloads.
    #expect(!past(Array(repeating: [0x00, 0x00], count: 100)).lacksRR)
    #expect(!past(Array(repeating: [], count: 100)).lacksRR)
  }

  @Test(arguments: [
    ("org.bluez.Error.NotPermitted: Not paired", true, false),
    ("org.bluez.Error.NotPermitted: Notify acquired", false, false),
    ("org.bluez.Error.Failed: Operation failed with ATT error: 0x05", true, false),
    ("org.bluez.Error.AuthenticationRejected", true, false),
    ("org.bluez.Error.Failed: le-connection-key-missing", false, true),
    ("org.bluez.Error.Failed: br-connection-key-missing", false, true), ("the link ended", false, false),
    ("", false, false), (": ", false, false),
  ])
  func bondProblemsAreRecognizedInBlueZMessages(_ message: String, _ refusal: Bool, _ keyMissing: Bool) {
    var past = PastSession(FindingTests.strap)
    past.reasons = [message]
    #expect((past.bondRefusal != nil) == refusal)
    #expect((past.keyMissing != nil) == keyMissing)
  }
}
