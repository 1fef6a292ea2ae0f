import DBus
import FakeBlueZ
import Glibc
import HeartRate
import Platform
import TestSupport
import Testing

@testable import Strap

/// The sources of a diagnosis: the files of a system, and bluetoothd.
@Suite(.timeLimit(.minutes(30))) struct DiagnosisTests {
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

  @Test func rfkillSwitchesAreReadFromSysfs() throws {
    #expect(RFKillSwitch.bluetooth(in: tree) == [])
    for (number, type, name, soft, hard) in [
      (0, "wlan", "phy0", "1", "1"), (1, "bluetooth", "tpacpi_bluetooth_sw", "0", "1"),
      (2, "bluetooth", "hci0", "1", "0"), (3, "bluetooth", "hci1", "0", "0"),
    ] {
      for (file, text) in [("type", type), ("name", name), ("soft", soft), ("hard", hard)] {
        try put("\(text)\n", "sys/class/rfkill/rfkill\(number)/\(file)")
      }
    }
    // An entry that disappears while it is read.
    try put("bluetooth\n", "sys/class/rfkill/rfkill4/type")
    #expect(
      RFKillSwitch.bluetooth(in: tree) == [
        RFKillSwitch(name: "tpacpi_bluetooth_sw", isSoftBlocked: false, isHardBlocked: true),
        RFKillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false),
        RFKillSwitch(name: "hci1", isSoftBlocked: false, isHardBlocked: false),
        RFKillSwitch(name: "rfkill4", isSoftBlocked: false, isHardBlocked: false),
      ])
  }

  /// The layout of sysfs: the class links to the adapter, its `device` to the interface, and the power control is in the USB
  /// device that contains the interface.
  @Test func powerControlIsReadForUSBAdaptersOnly() throws {
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

  @Test func kernelReleaseIsReadFromItsFiles() throws {
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

  private func diagnosis(
    _ fixture: StrapFixture, _ selection: StrapSelection = .address(StrapFixture.address),
    listening: Duration = .seconds(60)
  ) async -> Diagnosis {
    await fixture.bluez.diagnosis(of: selection, past: nil, listening: listening, in: tree) { _ in }
  }

  /// The only methods that `doctor` may call; none of them pairs, connects, or sets a property.
  private static let harmless: Set = [
    "GetManagedObjects", "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery",
  ]

  @Test func diagnosisScansAndChangesNothing() async throws {
    let fixture = try StrapFixture()
    let diagnosis = await diagnosis(fixture)
    #expect(diagnosis.devices.map(\.strap.address) == [StrapFixture.address])
    #expect(diagnosis.devices.first?.found.rssi != nil)
    guard case .done(_, deviceCount: 1) = diagnosis.scan else {
      Issue.record("\(diagnosis.scan)")
      return
    }
    #expect(Set(fixture.called) == Self.harmless)
    #expect(
      diagnosis.findings.allSatisfy { $0.state != .failed || $0.name == "kernel" }, "\(diagnosis.findings)")
  }

  @Test func aConnectedStrapIsNotScannedFor() async throws {
    let fixture = try StrapFixture()
    try await fixture.source().withEvents { _ in
      #expect(await fixture.strap.waitForSubscribers())
      let before = fixture.called.filter { $0 == "StartDiscovery" }.count
      let diagnosis = await diagnosis(fixture)
      #expect(diagnosis.scan == .none)
      #expect(diagnosis.devices.first?.listener == .shared)
      #expect(diagnosis.devices.first?.battery == BatteryLevel(percent: 90))
      #expect(fixture.called.filter { $0 == "StartDiscovery" }.count == before)
    }
    #expect(await fixture.strap.waitForLink(false))
  }

  @Test func anAbsentStrapIsReportedAsNotFound() async throws {
    let fixture = try StrapFixture {
      $0.isAdvertising = false
      $0.isPaired = true
    }
    _ = fixture.fake.add(FakeStrap(address: "C0:00:00:00:00:02", name: "Kettle"))
    let found = await givenTime { seconds in
      await diagnosis(fixture, listening: .seconds(seconds))
    } until: { diagnosis in
      diagnosis.findings.contains { $0.name == "scan" && $0.state == .ok }
    }
    #expect(
      found.findings.first { $0.name == "strap" }?.evidence.contains("connected to a phone or watch") == true)
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
  func propertiesOfTheStrapAppearInTheDiagnosis(property: Property) async throws {
    let fixture = try StrapFixture { $0.isKnown = true }
    property.set(fixture.fake, try #require(fixture.strap.devicePath))
    let name = property == .blocked ? "blocked" : "bearer"
    #expect(await diagnosis(fixture).findings.contains { $0.name == name && $0.state != .ok })
  }

  @Test(arguments: [
    ("random", "40:00:00:00:00:01", true), ("random", StrapFixture.address, false),
    ("public", "40:00:00:00:00:01", false),
  ])
  func privateAddressesAreRecognized(_ type: String, _ address: String, _ isPrivate: Bool) async throws {
    let fixture = try StrapFixture {
      $0.address = address
      $0.addressType = type
    }
    let diagnosis = await diagnosis(fixture, .address(address))
    #expect(diagnosis.devices.map(\.isPrivateAddress) == [isPrivate])
  }

  @Test func eachServiceFailureIsDistinguished() async throws {
    let denied = try StrapFixture(policy: .noCallsToBlueZ)
    guard case .denied = await diagnosis(denied).service else {
      Issue.record("expected denied access")
      return
    }
    let fixture = try StrapFixture()
    fixture.fake.stopDaemon(.killed)
    guard case .noDaemon = await diagnosis(fixture).service else {
      Issue.record("expected no bluetoothd")
      return
    }
    fixture.bus.stop()
    guard case .noBus = await diagnosis(fixture).service else {
      Issue.record("expected no bus")
      return
    }
  }
}
