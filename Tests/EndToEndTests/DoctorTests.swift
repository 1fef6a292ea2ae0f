import DBus
import FakeBlueZ
import Glibc
import TestSupport
import Testing

/// The program's `doctor` command: one line per check, and an exit code for whether `live` can work.
@Suite(.ownThreads) struct DoctorTests {
  /// Findings by name, without those that depend on the kernel and the storage of the test machine.
  private func findings(_ air: Air, _ arguments: [String] = []) throws -> (Outcome, [String: JSONValue]) {
    let outcome = try air.home.start(["doctor", "--json"] + arguments).outcome()
    let machine = [
      "kernel", "kernel version", "database storage", "recordings storage", "runtime storage", "swap",
    ]
    let lines = try outcome.json().filter { !machine.contains($0["check"]?.text ?? "") }
    return (outcome, Dictionary(lines.map { ($0["check"]?.text ?? "", $0) }) { $1 })
  }

  @Test func doctorReportsNoFaultOnAWorkingSystem() throws {
    let air = try Air()
    air.strap()
    let (outcome, found) = try findings(air)
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors.isEmpty)
    #expect(
      Set(found.keys) == [
        "rfkill", "bus", "bluetoothd", "adapter", "power of hci0", "scan", "strap", "signal", "model",
      ], "\(outcome.output)")
    #expect(
      found.values.allSatisfy { $0["state"]?.text == "ok" && $0["remedy"] == .null }, "\(outcome.output)")
    #expect(found["scan"]?["evidence"]?.text?.contains("short scan") == true)
    #expect(found["signal"]?["evidence"]?.text?.hasSuffix(" dBm") == true)
  }

  /// The command announces its scan, and does not pair, connect or change settings.
  @Test func doctorChangesNothing() throws {
    let air = try Air()
    let strap = air.strap { $0.isPaired = true }
    let text = try air.home.run("doctor", "--strap", strap.address)
    #expect(text.status == .exited(0))
    #expect(text.errors.contains("a short scan; nothing is changed"))
    #expect(
      Set(air.fake.calls.map(\.member)) == [
        "GetManagedObjects", "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery",
      ])
    #expect(!exists(air.home.database) && !exists(air.home.configuration))
    #expect(!strap.isConnected)
  }

  enum Trouble: CaseIterable {
    case silent, unknown, several, heldAlone, refused, weak, classic

    /// The name of the finding, whether it prevents `live`, and the command that fixes it.
    var finding: (name: String, isFatal: Bool, remedy: String?) {
      switch self {
      case .silent, .unknown: ("strap", true, "stressmon scan --duration 30s")
      case .several: ("strap", true, "stressmon live --strap \(Air.address)")
      case .heldAlone: ("strap", true, "bluetoothctl disconnect \(Air.address)")
      case .refused: ("blocked", true, "bluetoothctl unblock \(Air.address)")
      case .weak: ("signal", false, nil)
      case .classic: ("bearer", false, "bluetoothctl remove \(Air.address)")
      }
    }

    func air() throws -> Air {
      let air = try Air()
      guard self != .unknown else { return air }
      let strap = air.strap {
        $0.isKnown = true
        if self == .silent { $0.isAdvertising = false }
        if self == .weak { $0.rssi = -96 }
      }
      guard let path = strap.devicePath else { return air }
      let device = "org.bluez.Device1"
      switch self {
      case .several: air.strap(Air.other, "Other H9")
      case .heldAlone:
        strap.connectUnasked()
        guard let measurement = strap.measurementPath else { return air }
        _ = holds { strap.isConnected }
        usleep(200_000)
        air.fake.setProperty(measurement, "org.bluez.GattCharacteristic1", "NotifyAcquired", .bool(true))
      case .refused: air.fake.setProperty(path, device, "Blocked", .bool(true))
      case .classic: air.fake.setProperty(path, device, "Class", .uint32(0x240404))
      default: break
      }
      return air
    }
  }

  @Test(arguments: Trouble.allCases)
  func faultsOfTheStrapAreReported(trouble: Trouble) throws {
    let air = try trouble.air()
    let (outcome, found) = try findings(air, trouble == .several ? [] : ["--strap", Air.address])
    let expected = trouble.finding
    #expect(outcome.status == .exited(expected.isFatal ? 2 : 0), "\(outcome.output)")
    let line = try #require(found[expected.name], "\(outcome.output)")
    #expect(line["state"]?.text == (expected.isFatal ? "failed" : "warning"))
    #expect(line["remedy"]?.text == expected.remedy)
    #expect((line["evidence"]?.text ?? "").isEmpty == false)
  }

  /// Faults that only a session shows are read from the history: no RR intervals, a weak battery, links of equal length.
  @Test func doctorEvaluatesTheLastSession() throws {
    let air = try Air()
    let strap = air.strap { $0.battery = 7 }
    let program = try air.live(strap)
    strap.stream([[0x00, 0x48]], rate: 50, count: 40)
    try program.wait(for: 40, "notification")
    program.signal(SIGINT)
    try program.waitForExit()
    let (outcome, found) = try findings(air)
    #expect(outcome.status == .exited(0))
    #expect(found["rr"]?["state"]?.text == "warning")
    #expect(found["rr"]?["evidence"]?.text?.hasPrefix("40 heart rates and no RR interval") == true)
    #expect(found["battery"]?["state"]?.text == "warning")
    #expect(found["battery"]?["evidence"]?.text?.hasPrefix("7 % in its last session") == true)
    // The history of another profile has no effect.
    _ = try air.home.run("profile", "add", "anna")
    #expect(try findings(air, ["--profile", "anna"]).1["rr"] == nil)
  }

  /// A strap that requires a bond ends the first session; a bond that the strap has lost ends every later one.
  @Test(arguments: [false, true])
  func missingAndLostBondsAreReported(isPaired: Bool) throws {
    let air = try Air()
    let strap = air.strap {
      $0.isPaired = isPaired
      if !isPaired { $0.security = .pairedOnly }
      if isPaired {
        let words = BusError(name: "org.bluez.Error.Failed", message: "le-connection-key-missing")
        $0.script.connects = Array(repeating: .fails(words), count: 5)
      }
    }
    let live = try air.home.run("live", "--json", "--strap", strap.address)
    #expect(live.status == .exited(2))
    let bond = try #require(try findings(air, ["--strap", strap.address]).1["bond"])
    #expect(bond["state"]?.text == "warning")
    #expect(bond["evidence"]?.text?.contains(isPaired ? "the bond is lost" : "requires a bond") == true)
    let pair = "stressmon pair \(strap.address)"
    #expect(bond["remedy"]?.text == (isPaired ? "stressmon unpair \(strap.address) && \(pair)" : pair))
  }

  @Test func doctorDoesNotDisturbARunningSession() throws {
    let air = try Air()
    let strap = air.strap()
    let live = try air.live(strap)
    strap.stream(beats(madeUpRR(100)), rate: 50)
    try live.wait(for: 10, "notification")
    let scans = air.fake.calls.filter { $0.member == "StartDiscovery" }.count
    let (outcome, found) = try findings(air)
    #expect(outcome.status == .exited(0))
    #expect(found["strap"]?["evidence"]?.text?.contains("a program on this machine listens to it") == true)
    #expect(air.fake.calls.filter { $0.member == "StartDiscovery" }.count == scans)
    let before = live.outputLines.count
    try live.waitForLines(before + 20) { _ in true }
    live.signal(SIGINT)
    let lines = try live.outcome().json()
    #expect(!lines.linkStates.contains("lost"))
  }

  @Test func doctorIgnoresADamagedHistory() throws {
    let air = try Air()
    air.strap()
    let path = try air.home.folder.write("no database", to: "broken.db")
    #expect(try findings(air, ["--db", path]).0.status == .exited(0))
  }
}
