import DBus
import FakeBlueZ
import HeartRate
import Platform
import TestSupport
import Testing

@testable import Strap

@Suite(.timeLimit(.minutes(30))) struct ScanAndPairingTests {
  let strap = StrapIdentity(address: StrapFixture.address, name: "Polar H10 TEST")

  @Test func scanReportsEachStrapOnce() async throws {
    let fixture = try StrapFixture()
    var changes: [FoundStrap] = []
    let found = try await givenTime {
      try await fixture.bluez.scan(for: .seconds($0)) { changes.append($0) }
    } until: {
      !$0.isEmpty
    }
    // The signal strength varies during the scan.
    let rssi = try #require(found.first?.rssi)
    #expect((-70...(-50)).contains(rssi))
    #expect(found == [FoundStrap(strap: strap, rssi: rssi)])
    #expect(changes.last == found[0])
    #expect(fixture.called.contains("StopDiscovery"))
  }

  /// A strap that does not advertise 0x180D is found by its name; other devices are not.
  @Test func scanFallsBackToTypicalNames() async throws {
    let fixture = try StrapFixture { $0.advertisedServices = [] }
    var other = FakeStrap(address: "C0:00:00:00:00:02", name: "Kettle")
    other.advertisedServices = []
    _ = fixture.fake.add(other)
    let found = try await givenTime {
      try await fixture.bluez.scan(for: .seconds($0))
    } until: {
      !$0.isEmpty
    }
    #expect(found.map(\.strap) == [strap])
    #expect(found.map(\.hasHeartRate) == [false])
  }

  @Test func aCancelledScanThrowsCancellationError() async throws {
    let fixture = try StrapFixture()
    let bluez = fixture.bluez
    let scan = Task { try await bluez.scan(for: .seconds(600)) }
    #expect(await fixture.fake.wait { $0.contains { $0.member == "StartDiscovery" } })
    scan.cancel()
    await #expect(throws: CancellationError.self) { try await scan.value }
  }

  /// Records the questions of an agent.
  final class Person: Sendable {
    let log = Locked<[String]>([])
    let passkey: UInt32?
    init(passkey: UInt32?) { self.passkey = passkey }

    var agent: PairingAgent {
      PairingAgent(
        show: { text in self.log.withLock { $0.append("show \(text)") } },
        ask: {
          self.log.withLock { $0.append("ask") }
          return self.passkey
        },
        confirm: { text in
          self.log.withLock { $0.append("confirm \(text)") }
          return true
        })
    }
  }

  @Test(arguments: [
    (FakeStrap.Pairing.justWorks, []), (.passkeyEntry(7), ["ask"]), (.passkeyDisplay(42), ["show 000042"]),
    (.confirmation(123_456), ["confirm 123456"]),
  ])
  func eachPairingMethodSucceeds(_ pairing: FakeStrap.Pairing, _ expected: [String]) async throws {
    let fixture = try StrapFixture { $0.pairing = pairing }
    let person = Person(passkey: 7)
    let first = try await fixture.bluez.pair(.any, agent: person.agent)
    #expect(first == BlueZ.Pairing(strap: strap, wasPairedBefore: false))
    #expect(Array(Set(person.log.withLock { $0 })) == expected)
    #expect(await fixture.strap.waitForLink(false))
    let second = try await fixture.bluez.pair(.address(StrapFixture.address), agent: .unattended)
    #expect(second.wasPairedBefore)
    #expect(try await fixture.bluez.unpair(.address(StrapFixture.address)) == strap)
    await #expect(throws: StrapError.notPaired(.address(StrapFixture.address))) {
      try await fixture.bluez.unpair(.address(StrapFixture.address))
    }
  }

  @Test func unattendedPairingHasNoInputAndNoOutput() async throws {
    let fixture = try StrapFixture()
    #expect(try await fixture.bluez.pair(.any, agent: .unattended).strap == strap)
    let register = fixture.fake.calls.first { $0.member == "RegisterAgent" }
    #expect(register?.arguments.last == .string("NoInputNoOutput"))
  }

  @Test(arguments: [FakeStrap.Pairing.rejected, .passkeyEntry(8)])
  func aFailedPairingIsAnErrorWithItsReason(_ pairing: FakeStrap.Pairing) async throws {
    let fixture = try StrapFixture { $0.pairing = pairing }
    do {
      _ = try await fixture.bluez.pair(.any, agent: Person(passkey: nil).agent)
      Issue.record("expected pairing to fail")
    } catch let StrapError.pairingFailed(failed, message) {
      #expect(failed == strap)
      #expect(message.hasPrefix("org.bluez.Error.Authentication"))
    }
    #expect(await fixture.strap.waitForLink(false))
  }
}
