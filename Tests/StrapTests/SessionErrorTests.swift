import FakeBlueZ
import HeartRate
import Testing

@testable import Strap

/// The errors of sessions and scans.
@Suite(.timeLimit(.minutes(30))) struct SessionErrorTests {
  private func error(_ source: BlueZStrap) async -> StrapError? {
    do {
      _ = try await source.listen { _ in false }
      return nil
    } catch { return error as? StrapError }
  }

  @Test func aMissingBusIsAnError() async throws {
    var source = BlueZStrap(.any, logger: StrapFixture.quiet)
    source.busAddress = "unix:path=/nonexistent/bus"
    guard case .noBus = await error(source) else {
      Issue.record("expected noBus")
      return
    }
    var bluez = BlueZ(logger: StrapFixture.quiet)
    bluez.busAddress = source.busAddress
    let checks = await bluez.diagnose()
    #expect(checks.first { $0.name == "bus" }?.state == .failed)
  }

  @Test func aMissingBluetoothdIsAnError() async throws {
    let fixture = try StrapFixture()
    fixture.fake.stopDaemon(.terminated)
    guard case .noBluetoothd = await error(fixture.source()) else {
      Issue.record("expected noBluetoothd")
      return
    }
    let checks = await fixture.bluez.diagnose()
    #expect(checks.first { $0.name == "bluetoothd" }?.remedy == "sudo systemctl start bluetooth")
  }

  @Test func deniedAccessIsAnError() async throws {
    let fixture = try StrapFixture(policy: .noCallsToBlueZ)
    guard case .accessDenied = await error(fixture.source()) else {
      Issue.record("expected accessDenied")
      return
    }
    let checks = await fixture.bluez.diagnose()
    #expect(checks.first { $0.name == "permission" }?.state == .failed)
  }

  @Test func anAdapterThatIsOffIsAnError() async throws {
    let fixture = try StrapFixture()
    fixture.fake.setPower(false)
    #expect(await error(fixture.source()) == .adapterOff("hci0"))
    fixture.fake.setBlocked(true)
    #expect(await error(fixture.source()) == .adapterBlocked("hci0", hard: false))
    let checks = await fixture.bluez.diagnose()
    #expect(checks.last?.remedy == "rfkill unblock bluetooth")
  }

  @Test func anAbsentAdapterIsAnError() async throws {
    let fixture = try StrapFixture()
    var source = fixture.source()
    source.adapter = "hci7"
    #expect(await error(source) == .noAdapter(wanted: "hci7", present: ["hci0"]))
  }

  @Test func absentAndAmbiguousStrapsAreErrors() async throws {
    let fixture = try StrapFixture()
    _ = fixture.fake.add(FakeStrap(address: "C0:00:00:00:00:02", name: "HRM-Dual:00"))
    var source = fixture.source(.address("C0:00:00:00:00:99"))
    source.timing.search = .seconds(4)
    guard case .notFound(_, let seen) = await error(source) else {
      Issue.record("expected notFound")
      return
    }
    #expect(seen.map(\.strap.address).sorted() == ["C0:00:00:00:00:01", "C0:00:00:00:00:02"])
    guard case .ambiguous(.any, let found) = await error(fixture.source(.any)) else {
      Issue.record("expected ambiguous")
      return
    }
    #expect(found.count == 2)
    #expect(!fixture.called.contains("Connect"))
  }

  @Test func aStrapWithoutHeartRateIsAnError() async throws {
    let fixture = try StrapFixture { $0.script.resolve = .withoutMeasurement }
    var source = fixture.source()
    source.timing.resolve = .milliseconds(500)
    #expect(
      await error(source)
        == .noHeartRate(StrapIdentity(address: StrapFixture.address, name: "Polar H10 TEST")))
    #expect(await fixture.strap.waitForLink(false))
  }

  @Test func aStrapThatRequiresPairingIsAnError() async throws {
    let fixture = try StrapFixture { $0.security = .pairedOnly }
    guard case .pairingNeeded = await error(fixture.source()) else {
      Issue.record("expected pairingNeeded")
      return
    }
  }
}
