import FakeBlueZ
import TestSupport
import Testing

/// Machines without usable Bluetooth: each command reports the cause and the remedy.
@Suite(.ownThreads) struct NoBluetoothTests {
  enum Lack: CaseIterable, Sendable {
    case bus, daemon, permission, adapter, power, unblocking

    var words: String {
      switch self {
      case .bus: "cannot reach the system bus"
      case .daemon: "the Bluetooth service bluetoothd does not answer"
      case .permission: "this user has no permission to use bluetoothd"
      case .adapter: "there is no Bluetooth adapter"
      case .power: "the Bluetooth adapter hci0 is off"
      case .unblocking: "the Bluetooth adapter hci0 is blocked by rfkill"
      }
    }

    /// The command in the message.
    var remedy: String {
      switch self {
      case .bus: "sudo systemctl start dbus"
      case .daemon: "sudo systemctl start bluetooth"
      case .permission: "sudo usermod -aG bluetooth $USER"
      case .adapter: "stressmon doctor"
      case .power: "bluetoothctl power on"
      case .unblocking: "rfkill unblock bluetooth"
      }
    }

    /// The check that fails in the diagnosis.
    var check: String {
      switch self {
      case .bus: "bus"
      case .daemon: "bluetoothd"
      case .permission: "permission"
      case .adapter: "adapter"
      case .power, .unblocking: "power of hci0"
      }
    }

    func air() throws -> Air {
      let air = try Air(
        adapter: self == .adapter ? nil : "00:AA:01:00:00:00",
        policy: self == .permission ? .noCallsToBlueZ : .everything)
      switch self {
      case .bus: air.bus.stop()
      case .daemon: air.fake.stopDaemon(.killed)
      case .power: air.fake.setPower(false)
      case .unblocking: air.fake.setBlocked(true)
      case .permission, .adapter: break
      }
      return air
    }
  }

  @Test(arguments: Lack.allCases)
  func everyCommandReportsTheCauseAndTheRemedy(lack: Lack) throws {
    let air = try lack.air()
    for arguments in [
      ["live"], ["live", "--json"], ["scan"], ["pair"], ["measure"], ["unpair", Air.address],
    ] {
      let outcome = try air.home.start(arguments).outcome()
      #expect(outcome.status == .exited(2), "\(arguments)")
      #expect(outcome.errors.contains("stressmon: \(lack.words)"), "\(arguments): \(outcome.errors)")
      #expect(outcome.errors.contains(lack.remedy), "\(arguments): \(outcome.errors)")
    }
  }

  @Test(arguments: Lack.allCases)
  func doctorReportsTheCause(lack: Lack) throws {
    let air = try lack.air()
    let text = try air.home.run("doctor")
    #expect(text.status == .exited(2))
    let expected = lack == .adapter ? "failed   adapter" : "fix it with: \(lack.remedy)"
    #expect(text.output.contains(expected), "\(text.output)")
    let checks = try air.home.run("doctor", "--json")
    #expect(checks.status == .exited(2))
    // The kernel of the test machine can lack Bluetooth.
    let failed = try checks.json().filter { $0["state"]?.text == "failed" && $0["check"]?.text != "kernel" }
    #expect(failed.map { $0["check"]?.text } == [lack.check])
    if lack != .adapter { #expect(failed[0]["remedy"]?.text == lack.remedy) }
  }

  @Test func anAbsentAdapterIsReportedByName() throws {
    let air = try Air()
    air.strap()
    for arguments in [["live"], ["scan"], ["doctor"]] {
      let outcome = try air.home.start(arguments + ["--adapter", "hci7"]).outcome()
      #expect(outcome.status == .exited(2))
      #expect((outcome.output + outcome.errors).contains("hci7"))
    }
    #expect(try air.home.run("live", "--adapter", "hci7").errors.contains("Choose one with: --adapter hci0"))
  }
}
