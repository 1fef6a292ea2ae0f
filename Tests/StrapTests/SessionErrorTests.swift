import FakeBlueZ
import HeartRate
import Testing

@testable import Strap

/// What a session and a scan say when there is nothing to be had.
@Suite(.timeLimit(.minutes(10))) struct SessionErrorTests {
  private func error(_ source: BlueZStrap) async -> StrapError? {
    do {
      _ = try await source.listen { _ in false }
      return nil
    } catch { return error as? StrapError }
  }

  @Test func noBus() async throws {
    var source = BlueZStrap(.any, logger: Air.quiet)
    source.busAddress = "unix:path=/nonexistent/bus"
    guard case .noBus = await error(source) else {
      Issue.record("not told that there is no bus")
      return
    }
    var bluez = BlueZ(logger: Air.quiet)
    bluez.busAddress = source.busAddress
    let checks = await bluez.diagnose()
    #expect(checks.first { $0.name == "bus" }?.state == .failed)
  }

  @Test func noBluetoothd() async throws {
    let air = try Air()
    air.fake.stopDaemon(.terminated)
    guard case .noBluetoothd = await error(air.source()) else {
      Issue.record("not told that there is no bluetoothd")
      return
    }
    let checks = await air.bluez.diagnose()
    #expect(checks.first { $0.name == "bluetoothd" }?.remedy == "sudo systemctl start bluetooth")
  }

  @Test func accessDenied() async throws {
    let air = try Air(policy: .noCallsToBlueZ)
    guard case .accessDenied = await error(air.source()) else {
      Issue.record("not told that access is denied")
      return
    }
    let checks = await air.bluez.diagnose()
    #expect(checks.first { $0.name == "permission" }?.state == .failed)
  }

  @Test func adapterOff() async throws {
    let air = try Air()
    air.fake.setPower(false)
    #expect(await error(air.source()) == .adapterOff("hci0"))
    air.fake.setBlocked(true)
    #expect(await error(air.source()) == .adapterBlocked("hci0", hard: false))
    let checks = await air.bluez.diagnose()
    #expect(checks.last?.remedy == "rfkill unblock bluetooth")
  }

  @Test func adapterAbsent() async throws {
    let air = try Air()
    var source = air.source()
    source.adapter = "hci7"
    #expect(await error(source) == .noAdapter(wanted: "hci7", present: ["hci0"]))
  }

  @Test func notFoundAndAmbiguous() async throws {
    let air = try Air()
    _ = air.fake.add(FakeStrap(address: "C0:00:00:00:00:02", name: "HRM-Dual:00"))
    var source = air.source(.address("C0:00:00:00:00:99"))
    source.timing.search = .seconds(4)
    guard case .notFound(_, let seen) = await error(source) else {
      Issue.record("found what is not there")
      return
    }
    #expect(seen.map(\.strap.address).sorted() == ["C0:00:00:00:00:01", "C0:00:00:00:00:02"])
    guard case .ambiguous(.any, let found) = await error(air.source(.any)) else {
      Issue.record("took one of two")
      return
    }
    #expect(found.count == 2)
    #expect(!air.called.contains("Connect"))
  }

  @Test func noHeartRate() async throws {
    let air = try Air { $0.script.resolve = .withoutMeasurement }
    var source = air.source()
    source.timing.resolve = .milliseconds(500)
    #expect(await error(source) == .noHeartRate(StrapIdentity(address: Air.address, name: "Polar H10 TEST")))
    #expect(await air.strap.waitForLink(false))
  }

  @Test func aStrapThatWantsToBePaired() async throws {
    let air = try Air { $0.security = .pairedOnly }
    guard case .pairingNeeded = await error(air.source()) else {
      Issue.record("not told that pairing is needed")
      return
    }
  }
}
