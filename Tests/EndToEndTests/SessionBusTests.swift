import DBus
import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// A running session on a private session bus.
@Suite(.ownThreads) struct SessionBusTests {
  private static let name = "org.stressmon.Stressmon1"
  private static let path = "/org/stressmon/Stressmon1"
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// A session of the simulated strap, and calls to it.
  private final class Served {
    let home: Home
    let bus: PrivateBus
    let session: Program

    /// A simulated session waits for the reader of its output: a file accepts all lines.
    init(speed: Int = 20, _ options: String...) throws {
      (home, bus) = (try Home(), try PrivateBus())
      let live = ["live", "--simulate", "--seed", "7", "--speed", "\(speed)", "--json"] + options
      session = try home.start(
        "/bin/sh", ["-c", #"exec "$0" "$@" > "$HOME/lines""#, Program.stressmon] + live,
        with: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    }

    init(_ home: Home, _ bus: PrivateBus, _ session: Program) {
      (self.home, self.bus, self.session) = (home, bus, session)
    }

    func call(
      _ member: String, _ arguments: [DBusValue] = [], interface: String = SessionBusTests.name
    ) throws(BusError) -> [DBusValue] {
      try PolledBusConnection(address: bus.address).call(
        MethodCall(
          destination: SessionBusTests.name, path: SessionBusTests.path, interface: interface,
          member: member, arguments: arguments))
    }

    var properties: [String: DBusValue] {
      (try? call("GetAll", [.string(SessionBusTests.name)], interface: StandardInterface.properties))?
        .first?.dictionary ?? [:]
    }

    func error(_ member: String, _ arguments: [DBusValue] = []) -> String? {
      do throws(BusError) {
        _ = try call(member, arguments)
        return nil
      } catch { return error.name }
    }

    /// Waits until the session has a stress value.
    func waitForStress() -> Bool { holds { properties["Stress"]?.number.map { !$0.isNaN } ?? false } }

    func end() throws -> Outcome {
      session.signal(SIGINT)
      return try session.outcome()
    }
  }

  @Test func theInterfaceIsTheInstalledFile() throws {
    let served = try Served()
    #expect(holds { !served.properties.isEmpty })
    let xml = try served.call("Introspect", interface: StandardInterface.introspectable).first?.string
    #expect(xml == text(ofFile: "\(Self.root)/Packaging/desktop/\(Self.name).xml"))
    #expect(try served.end().status == .signalled(SIGINT))
  }

  @Test("Properties are those of the session, and nothing is stated before there is a value")
  func values() throws {
    let served = try Served()
    #expect(holds { !served.properties.isEmpty })
    #expect(served.properties["Person"] == .string("me"))
    #expect(served.waitForStress())
    let values = served.properties
    #expect(values["State"] == .string("live"))
    #expect(values["Stress"]?.number.map { (0...100).contains($0) } == true)
    #expect(values["Confidence"]?.number.map { (0...1).contains($0) } == true)
    #expect(values["HeartRate"]?.number.map { (40...120).contains($0) } == true)
    #expect(values["HRV"]?.number.map { $0 > 0 } == true && values["Age"]?.number.map { $0 < 6 } == true)
    #expect(["relaxed", "mild", "moderate", "high"].contains(values["Category"]?.string))
    _ = try served.end()
    // Without permission to start a service, as here, the name has no owner.
    let missing = [BusError.serviceUnknown, BusError.nameHasNoOwner]
    #expect(missing.contains(served.error("Mark", [.string("x")]) ?? ""))
  }

  @Test("The values of a silent strap are no longer stated") func staleValues() throws {
    let air = try Air()
    let strap = air.strap()
    let program = try air.home.start(
      ["live", "--json", "--strap", strap.address], with: ["DBUS_SESSION_BUS_ADDRESS": air.bus.address])
    let served = Served(air.home, air.bus, program)
    #expect(strap.subscribed())
    strap.stream(beats(madeUpRR(600)), rate: 40)
    #expect(served.waitForStress())
    strap.stopStream()
    try program.waitForLine { $0.contains("\"state\":\"stale\"") }
    #expect(holds { served.properties["State"] == .string("stale") })
    for name in ["Stress", "Confidence", "HeartRate", "HRV"] {
      #expect(served.properties[name]?.number?.isNaN == true, "\(name)")
    }
    #expect(served.properties["Category"] == .string(""))
    #expect(served.properties["Age"]?.number.map { $0 >= 1 } == true)
    #expect(served.error("StartReading") == "\(Self.name).Error.NotLive")
    _ = try served.end()
  }

  @Test func marksAreThoseOfTheSession() throws {
    let served = try Served()
    #expect(served.waitForStress())
    let time = try #require(try served.call("Mark", [.string("tea\nand cake")]).first)
    #expect(try #require(time.number) > 0)
    #expect(holds { served.home.contents("lines")?.contains("\"mark 1: tea and cake\"") == true })
    #expect(try served.home.run("journal", "--json").output.contains("tea and cake"))
    #expect(
      served.error("Mark", [.string(String(repeating: "x", count: 501))])?.hasSuffix("InvalidArgs") == true)
    #expect(
      served.error("Mark", [.string(String(repeating: "x", count: 1 << 20))])?.hasSuffix("InvalidArgs")
        == true)
    for (member, arguments) in [
      ("Mark", []), ("Mark", [.uint32(3)]), ("Mark", [.string("a"), .string("b")]), ("Unknown", []),
      ("StartReading", [.string("now")]),
    ] as [(String, [DBusValue])] {
      #expect(served.error(member, arguments) == BusError.unknownMethod, "\(member)")
    }
    #expect(try served.end().status == .signalled(SIGINT))
  }

  @Test("A reading ends with a signal after its window; a second one meanwhile is an error")
  func readings() throws {
    let served = try Served(speed: 2, "--window", "30s")
    let listener = try PolledBusConnection(address: served.bus.address)
    listener.addMatch("type='signal',member='ReadingFinished'")
    #expect(served.waitForStress())
    #expect(try served.call("StartReading") == [.double(30)])
    #expect(served.error("StartReading") == "\(Self.name).Error.Busy")
    #expect(served.error("StartBreathing") == "\(Self.name).Error.NotPossible")
    var result: [DBusValue] = []
    #expect(
      holds {
        _ = listener.transfer(milliseconds: 200)
        while let message = listener.next() {
          if message.member == "ReadingFinished" { result = message.arguments }
        }
        return !result.isEmpty
      })
    #expect(result.count == 5 && result.first?.number.map { (0...100).contains($0) } == true)
    #expect(try served.end().status == .signalled(SIGINT))
  }

  @Test("StartBreathing starts the exercise of the live screen", .enabled(if: TerminalWindow.isAvailable))
  func breathing() throws {
    let (home, bus) = (try Home(), try PrivateBus())
    let window = try TerminalWindow(home)
    try window.run("DBUS_SESSION_BUS_ADDRESS=\(bus.address) $stressmon live --simulate")
    let call = MethodCall(
      destination: Self.name, path: Self.path, interface: Self.name, member: "StartBreathing")
    #expect(holds { (try? PolledBusConnection(address: bus.address).call(call)) != nil })
    #expect(window.shows("q ends the exercise"), "\(window.lines)")
    #expect(throws: BusError.self) { try PolledBusConnection(address: bus.address).call(call) }
  }

  @Test("Without a bus, and while it restarts, the session runs on") func faults() throws {
    let home = try Home()
    for address in ["unix:path=/nowhere", "nonsense"] {
      let run = try home.start(
        ["live", "--simulate", "--speed", "max", "--duration", "2m", "--json"],
        with: ["DBUS_SESSION_BUS_ADDRESS": address]
      ).outcome()
      #expect(run.status == .exited(0) && !run.errors.contains("session bus"), "\(run.errors)")
    }
    let served = try Served("--verbose")
    #expect(served.waitForStress())
    served.bus.stop()
    usleep(3_000_000)
    try served.bus.start()
    #expect(served.waitForStress())
    #expect(try served.end().status == .signalled(SIGINT))
    #expect(served.session.standardError.contains("the connection to the session bus ended"))
  }

  @Test("The next session takes over when the first one ends") func severalSessions() throws {
    let served = try Served()
    #expect(served.waitForStress())
    _ = try served.home.run("profile", "add", "anna")
    let next = try served.home.start(
      ["live", "--simulate", "--speed", "20", "--json", "--profile", "anna"],
      with: ["DBUS_SESSION_BUS_ADDRESS": served.bus.address])
    try next.wait(for: 3, "measurement")
    #expect(served.properties["Person"] == .string("me"))
    _ = try served.end()
    #expect(holds { served.properties["Person"] == .string("anna") })
    next.signal(SIGINT)
    _ = try next.outcome()
  }

  @Test("The example script prints values, marks and follows", .enabled(if: exists("/usr/bin/busctl")))
  func example() throws {
    let served = try Served()
    #expect(served.waitForStress())
    let script = "\(Self.root)/Examples/desktop/stressmon-status"
    let environment = ["DBUS_SESSION_BUS_ADDRESS": served.bus.address]
    func run(_ arguments: String...) throws -> Outcome {
      try served.home.start(script, arguments, with: environment).outcome()
    }
    let line = try run()
    #expect(line.output.contains(/^(relaxed|mild|moderate|high) \d+, \d+ bpm\n$/), "\(line)")
    let mark = try run("mark", "from a script")
    #expect(mark.output.contains(/^[0-9.]+\n$/), "\(mark)")
    let watch = try served.home.start(script, ["watch"], with: environment)
    try watch.waitForLines(2) { $0.contains("bpm") }
    _ = try served.end()
    #expect(try run().output == "-\n")
    #expect(try run("nonsense").status == .exited(64))
    watch.signal(SIGTERM)
  }
}

extension DBusValue {
  fileprivate var number: Double? { if case .double(let value) = unwrapped { value } else { nil } }
}
