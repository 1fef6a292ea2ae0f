import DBus
import FakeBlueZ
import TestSupport
import Testing

/// `stressmon service on`, `off` and `status` with an imitation of the user's systemd on a private bus.
@Suite(.ownThreads) struct ServiceSwitchTests {
  private final class Systemd {
    let bus: PrivateBus
    private let client: BusClient
    var isInstalled = true
    var isEnabled = false
    var activity = "inactive"
    private(set) var calls: [String] = []

    init() throws {
      bus = try PrivateBus()
      client = try BusClient(address: bus.address)
      try client.own("org.freedesktop.systemd1")
      client.answer = { [unowned self] member, arguments in answer(member, arguments) }
    }

    private func answer(_ member: String, _ arguments: [DBusValue]) -> Result<[DBusValue], BusError> {
      calls.append(member)
      switch member {
      case "GetUnitFileState":
        guard isInstalled, arguments == [.string("stressmon.service")] else {
          return .failure(BusError(name: "org.freedesktop.DBus.Error.FileNotFound", message: "no file"))
        }
        return .success([.string(isEnabled ? "enabled" : "disabled")])
      case "LoadUnit": return .success([.objectPath("/org/freedesktop/systemd1/unit/stressmon_2eservice")])
      case "Get": return .success([.variant(.string(activity))])
      case "EnableUnitFiles": isEnabled = true
      case "DisableUnitFiles": isEnabled = false
      case "StartUnit": activity = "activating"
      case "StopUnit": activity = "inactive"
      case "Reload": break
      default: return .failure(BusError(name: "org.freedesktop.DBus.Error.UnknownMethod", message: member))
      }
      return .success([])
    }

    func run(_ home: Home, _ arguments: String...) throws -> Outcome {
      let changes = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
      let program = try home.start(["service"] + arguments, with: changes)
      _ = holds {
        client.listen(seconds: 0.05)
        return (try? program.waitForExit(seconds: 0.05)) != nil
      }
      return try program.outcome()
    }
  }

  @Test func theServiceIsSwitchedOnAndOff() throws {
    let (home, systemd) = (try Home(), try Systemd())
    #expect(try systemd.run(home, "status").output == "Measuring in the background is off.\n")
    // Without a known strap, the unit would end at once.
    let early = try systemd.run(home, "on")
    #expect(early.status == .exited(2) && early.errors.contains("stressmon pair"))
    #expect(!systemd.calls.contains("EnableUnitFiles"))
    _ = try home.run("config", "set", "strap", "C0:FF:EE:00:00:01")
    let on = try systemd.run(home, "on", "--json")
    #expect(on.status == .exited(0))
    let line = try #require(on.json().first)
    #expect(try Schema("service-status").differences(from: line) == [])
    #expect(line["enabled"]?.bool == true && line["running"]?.bool == true)
    #expect(line["unit"]?.text == "stressmon.service" && line["state"]?.text == "activating")
    #expect(try systemd.run(home, "status").output.contains("is on, and starts again when you log in"))
    systemd.activity = "failed"
    #expect(try systemd.run(home, "status").output.contains("journalctl --user -u stressmon"))
    #expect(try systemd.run(home, "off").output == "Measuring in the background is off.\n")
    #expect(!systemd.isEnabled && systemd.activity == "inactive")
  }

  @Test func failuresNameTheRemedy() throws {
    let (home, systemd) = (try Home(), try Systemd())
    systemd.isInstalled = false
    let missing = try systemd.run(home, "status")
    #expect(missing.status == .exited(1) && missing.errors.contains("make install-service"))
    for bus in [nil, "unix:path=/nowhere/bus", try PrivateBus().address] {
      let outcome = try home.run("service", "status", with: ["DBUS_SESSION_BUS_ADDRESS": bus])
      #expect(
        outcome.status == .exited(1)
          && outcome.errors.contains("start this command yourself: stressmon service"))
    }
  }
}
