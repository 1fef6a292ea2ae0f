import FakeBlueZ
import Glibc
import HeartRate
import TestSupport
import Testing

@testable import Strap

/// Where the facts come from: the files of a system, and bluetoothd.
@Suite(.timeLimit(.minutes(10))) struct FactsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var tree: SystemTree { SystemTree(root: folder.path) }

  private func put(_ text: String, _ path: String) throws {
    var made = folder.path
    for part in path.split(separator: "/").dropLast() {
      made += "/\(part)"
      mkdir(made, 0o700)
    }
    try folder.write(text, to: path)
  }

  @Test func switchesAreReadFromTheirFiles() throws {
    #expect(RFKillSwitch.bluetooth(in: tree) == [])
    for (number, type, name, soft, hard) in [
      (0, "wlan", "phy0", "1", "1"), (1, "bluetooth", "tpacpi_bluetooth_sw", "0", "1"),
      (2, "bluetooth", "hci0", "1", "0"), (3, "bluetooth", "hci1", "0", "0"),
    ] {
      for (file, text) in [("type", type), ("name", name), ("soft", soft), ("hard", hard)] {
        try put("\(text)\n", "sys/class/rfkill/rfkill\(number)/\(file)")
      }
    }
    // One that goes away while it is looked at.
    try put("bluetooth\n", "sys/class/rfkill/rfkill4/type")
    #expect(
      RFKillSwitch.bluetooth(in: tree) == [
        RFKillSwitch(name: "tpacpi_bluetooth_sw", isSoftBlocked: false, isHardBlocked: true),
        RFKillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false),
        RFKillSwitch(name: "hci1", isSoftBlocked: false, isHardBlocked: false),
        RFKillSwitch(name: "rfkill4", isSoftBlocked: false, isHardBlocked: false),
      ])
  }

  /// As sysfs has it: the class leads to the adapter, its `device` to the interface, and the power control stands in
  /// the USB device around that.
  @Test func powerControlIsReadWhereUSBHasIt() throws {
    #expect(USBPower.adapters(in: tree) == [])
    for (name, bus, control) in [("hci0", "usb", "auto"), ("hci1", "usb", "on"), ("hci2", "serial", "auto")] {
      let device = "sys/devices/\(name)/1-4"
      try put("\(control)\n", "\(device)/power/control")
      if name == "hci0" { try put("Bluetooth Radio\n", "\(device)/product") }
      try put("", "\(device)/1-4:1.0/bluetooth/\(name)/type")
      try put("", "sys/class/bluetooth/none")
      symlink("../../../../bus/\(bus)", folder.file("\(device)/1-4:1.0/subsystem"))
      symlink("../../../1-4:1.0", folder.file("\(device)/1-4:1.0/bluetooth/\(name)/device"))
      symlink(
        "../../devices/\(name)/1-4/1-4:1.0/bluetooth/\(name)", folder.file("sys/class/bluetooth/\(name)"))
      symlink(
        "../../devices/\(name)/1-4/1-4:1.0/bluetooth/\(name)", folder.file("sys/class/bluetooth/\(name):64"))
    }
    #expect(
      USBPower.adapters(in: tree) == [
        USBPower(name: "hci0", product: "Bluetooth Radio", suspendsItself: true),
        USBPower(name: "hci1", product: nil, suspendsItself: false),
      ])
  }

  @Test func theKernelIsReadFromItsFiles() throws {
    #expect(KernelRelease(in: tree).version == nil)
    try put("6.8.0-40-generic\n", "proc/sys/kernel/osrelease")
    try put("#40 SMP\n", "proc/sys/kernel/version")
    try put("Ubuntu 6.8.0-40.40-generic 6.8.12\n", "proc/version_signature")
    try put("NAME=\"Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "etc/os-release")
    let kernel = KernelRelease(in: tree)
    #expect(kernel.version?.description == "6.8.12" && kernel.upgrade == "sudo apt full-upgrade")
    #expect(KernelRelease(in: SystemTree()).release == Self.running)
  }

  private static var running: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  // MARK: bluetoothd

  private func facts(
    _ air: Air, _ selection: StrapSelection = .address(Air.address), listening: Duration = .seconds(60)
  ) async -> Facts {
    await air.bluez.facts(selection, past: nil, listening: listening, in: tree) { _ in }
  }

  /// The methods that the doctor may call, and no other: none of them pairs, connects, or sets a property.
  private static let harmless: Set = [
    "GetManagedObjects", "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery",
  ]

  @Test func itListensAndChangesNothing() async throws {
    let air = try Air()
    let facts = await facts(air)
    #expect(facts.devices.map(\.strap.address) == [Air.address])
    #expect(facts.devices.first?.found.rssi != nil)
    guard case .done(_, heard: 1) = facts.scan else {
      Issue.record("\(facts.scan)")
      return
    }
    #expect(Set(air.called) == Self.harmless)
    #expect(facts.findings.allSatisfy { $0.state != .failed || $0.name == "kernel" }, "\(facts.findings)")
  }

  @Test func aStrapThatIsConnectedIsNotListenedFor() async throws {
    let air = try Air()
    try await air.source().withEvents { _ in
      #expect(await air.strap.waitForSubscribers())
      let before = air.called.filter { $0 == "StartDiscovery" }.count
      let facts = await facts(air)
      #expect(facts.scan == .none)
      #expect(facts.devices.first?.listener == .somebody)
      #expect(facts.devices.first?.battery == BatteryLevel(percent: 90))
      #expect(air.called.filter { $0 == "StartDiscovery" }.count == before)
    }
    #expect(await air.strap.waitForLink(false))
  }

  @Test func aStrapThatIsSilentIsNotHeard() async throws {
    let air = try Air {
      $0.isAdvertising = false
      $0.isPaired = true
    }
    _ = air.fake.add(FakeStrap(address: "C0:00:00:00:00:02", name: "Kettle"))
    let found = await givenTime { seconds in
      await facts(air, listening: .seconds(seconds))
    } until: { facts in
      facts.findings.contains { $0.name == "scan" && $0.state == .ok }
    }
    #expect(
      found.findings.first { $0.name == "strap" }?.evidence.contains("held by a phone or watch") == true)
    #expect(found.findings.first { $0.name == "bond" }?.state == .ok)
  }

  enum Property: CaseIterable {
    case deviceClass, preferredBearer, blocked

    func set(_ fake: FakeBlueZ, _ path: String) {
      let interface = "org.bluez.Device1"
      switch self {
      case .deviceClass: fake.setProperty(path, interface, "Class", .uint32(0x240404))
      case .preferredBearer: fake.setProperty(path, interface, "PreferredBearer", .string("bredr"))
      case .blocked: fake.setProperty(path, interface, "Blocked", .bool(true))
      }
    }
  }

  @Test(arguments: Property.allCases)
  func whatBluetoothdSaysOfTheStrapIsHeard(property: Property) async throws {
    let air = try Air { $0.isKnown = true }
    property.set(air.fake, try #require(air.strap.devicePath))
    let name = property == .blocked ? "blocked" : "bearer"
    #expect(await facts(air).findings.contains { $0.name == name && $0.state != .ok })
  }

  @Test(arguments: [
    ("random", "40:00:00:00:00:01", true), ("random", Air.address, false),
    ("public", "40:00:00:00:00:01", false),
  ])
  func privateAddressesAreKnown(_ type: String, _ address: String, _ isPrivate: Bool) async throws {
    let air = try Air {
      $0.address = address
      $0.addressType = type
    }
    let facts = await facts(air, .address(address))
    #expect(facts.devices.map(\.isPrivateAddress) == [isPrivate])
  }

  @Test func everyKindOfServiceIsToldApart() async throws {
    let denied = try Air(policy: .noCallsToBlueZ)
    guard case .denied = await facts(denied).service else {
      Issue.record("not denied")
      return
    }
    let air = try Air()
    air.fake.stopDaemon(.killed)
    guard case .noDaemon = await facts(air).service else {
      Issue.record("a daemon")
      return
    }
    air.bus.stop()
    guard case .noBus = await facts(air).service else {
      Issue.record("a bus")
      return
    }
  }
}
