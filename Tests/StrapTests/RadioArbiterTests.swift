import FakeBlueZ
import HeartRate
import TestSupport
import Testing

@testable import Strap

/// Two straps on one adapter, on which a discovery aborts a pending link.
@Suite(.timeLimit(.minutes(30))) struct RadioArbiterTests {
  private static let other = "C0:00:00:00:00:02"

  private func add(_ fixture: StrapFixture, _ address: String, isAdvertising: Bool = true) -> StrapControl {
    var strap = FakeStrap(address: address, name: "Other H9")
    strap.script.disconnectDelay = 0.05
    strap.isAdvertising = isAdvertising
    strap.script.connectFailsDuringDiscovery = true
    return fixture.fake.add(strap)
  }

  private func source(_ fixture: StrapFixture, _ address: String, _ radio: RadioArbiter) -> BlueZStrap {
    var source = fixture.source(.address(address), search: nil)
    source.radio = radio
    return source
  }

  @Test func aDiscoveryIsPausedWhileALinkIsEstablished() async throws {
    let fixture = try StrapFixture { $0.script.connectFailsDuringDiscovery = true }
    let absent = add(fixture, Self.other, isAdvertising: false)
    let radio = RadioArbiter(maximumPause: .seconds(60))
    let seeker = source(fixture, Self.other, radio)
    let search = Task { try await seeker.listen { !$0.payloads.isEmpty } }
    #expect(await fixture.fake.wait { $0.contains { $0.member == "StartDiscovery" } })
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    let received = try await source(fixture, StrapFixture.address, radio).listen { $0.payloads.count == 3 }
    // The first attempt succeeds, although the other strap was being searched for.
    #expect(received.states == [.searching, .connecting, .connected])
    #expect(fixture.called.count { $0 == "Connect" } == 1)
    // The search continues, and finds the other strap when it appears.
    absent.stream([[0x00, 0x41]], rate: 50)
    absent.advertise(true)
    #expect(try await search.value.payloads.first == [0x00, 0x41])
  }

  /// bluetoothd refuses to stop a discovery that it is starting.
  @Test(arguments: [false, true]) func aLinkWaitsForADiscoveryThatIsBeingStarted(resumed: Bool) async throws {
    var options = FakeBlueZ.Options()
    options.discoveryDelay = 0.3
    let fixture = try StrapFixture(options: options) {
      $0.isKnown = true
      $0.script.connectFailsDuringDiscovery = true
    }
    let (seeker, other) = (try await client(fixture), try await client(fixture))
    let radio = RadioArbiter(maximumPause: .seconds(60))
    let strap = StrapIdentity(address: StrapFixture.address)
    async let start: Void = radio.startDiscovery(seeker, wide: false) { true }
    if resumed {
      try await start
      try await radio.connect(strap, other)
      try await other.disconnect(strap)
    }
    let discoveries = resumed ? 2 : 1
    #expect(await fixture.fake.wait { $0.count { $0.member == "StartDiscovery" } == discoveries })
    try await radio.connect(strap, other)
    try await start
    #expect(await fixture.fake.wait { $0.count { $0.member == "StartDiscovery" } == discoveries + 1 })
    try await radio.stopDiscovery(seeker)
    #expect(fixture.called.last == "StopDiscovery")
    for client in [seeker, other] { await client.close() }
  }

  private func client(_ fixture: StrapFixture) async throws -> BlueZClient {
    let client = BlueZClient(
      requestedAdapter: nil, busAddress: fixture.bus.address, logger: StrapFixture.quiet)
    try await client.open()
    try await client.readObjects(startService: false)
    return client
  }

  @Test func aDiscoveryStartsAfterAPendingLink() async throws {
    let fixture = try StrapFixture {
      $0.script.connectDelay = 0.3
      $0.script.connectFailsDuringDiscovery = true
    }
    let present = add(fixture, Self.other)
    let radio = RadioArbiter(maximumPause: .seconds(60))
    fixture.strap.stream([[0x00, 0x40]], rate: 50)
    present.stream([[0x00, 0x41]], rate: 50)
    let (one, two) = (source(fixture, StrapFixture.address, radio), source(fixture, Self.other, radio))
    let first = Task { try await one.listen { $0.payloads.count == 3 } }
    #expect(await fixture.fake.wait { $0.contains { $0.member == "Connect" } })
    #expect(try await two.listen { $0.payloads.count == 3 }.states.last == .connected)
    #expect(try await first.value.states == [.searching, .connecting, .connected])
    let order = fixture.called.filter { ["StartDiscovery", "Connect"].contains($0) }
    #expect(order == ["StartDiscovery", "Connect", "StartDiscovery", "Connect"])
  }

  /// Connect to an absent strap is pending for up to a minute.
  @Test func anAbsentStrapDelaysOthersOnlyBriefly() async throws {
    let fixture = try StrapFixture { $0.script.connects = [.neverAnswered] }
    let present = add(fixture, Self.other)
    present.stream([[0x00, 0x41]], rate: 50)
    let radio = RadioArbiter(maximumPause: .milliseconds(200))
    let away = source(fixture, StrapFixture.address, radio)
    let waiting = Task { try await away.listen { _ in false } }
    #expect(await fixture.fake.wait { $0.contains { $0.member == "Connect" } })
    let received = try await source(fixture, Self.other, radio).listen { $0.payloads.count == 3 }
    #expect(received.states == [.searching, .connecting, .connected])
    waiting.cancel()
    _ = try? await waiting.value
  }
}
