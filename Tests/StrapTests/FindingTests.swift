import DBus
import HeartRate
import Testing

@testable import Strap

/// Each row is a system with one problem and the finding that reports it.
@Suite struct FindingTests {
  static let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "Polar H10")
  static let other = StrapIdentity(address: "C0:00:00:00:00:02", name: "Other H9")

  /// A working system with a strap in range.
  static var well: Diagnosis {
    var diagnosis = Diagnosis(service: .answers(owner: ":1.4"))
    diagnosis.kernel = KernelRelease(release: "6.12.5")
    diagnosis.kernelAdapters = .success([
      KernelAdapter(name: "hci0", address: "00:AA:01:00:00:00", isUp: true)
    ])
    diagnosis.switches = [RFKillSwitch(name: "hci0", isSoftBlocked: false, isHardBlocked: false)]
    diagnosis.usb = [USBPower(name: "hci0", product: "Radio", suspendsItself: false)]
    diagnosis.adapters = [adapter(powered: true)]
    diagnosis.devices = [device()]
    diagnosis.scan = .done(.seconds(6), deviceCount: 3)
    diagnosis.selection = .remembered([strap])
    return diagnosis
  }

  static func adapter(_ name: String = "hci0", powered: Bool, state: String? = nil) -> Adapter {
    var properties: ObjectTree.Properties = [
      "Address": .string("00:AA:01:00:00:0\(name.last ?? "0")"), "Powered": .bool(powered),
    ]
    if let state { properties["PowerState"] = .string(state) }
    return Adapter(path: "/org/bluez/\(name)", properties: properties)
  }

  static func device(
    _ strap: StrapIdentity = strap, on adapter: String = "hci0", rssi: Int? = -60, paired: Bool = false,
    connected: Bool = false, _ change: (inout SeenDevice) -> Void = { _ in }
  ) -> SeenDevice {
    var device = SeenDevice(
      adapter: adapter,
      found: FoundStrap(
        strap: strap, rssi: rssi, isPaired: paired, isConnected: connected,
        isAnswering: connected || rssi != nil))
    change(&device)
    return device
  }

  static func past(_ change: (inout PastSession) -> Void) -> PastSession {
    var past = PastSession(strap)
    past.notifications = 600
    past.withRR = 590
    change(&past)
    return past
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let name: String
    let state: Finding.State
    /// A part of the evidence.
    let evidence: String
    let remedy: String?
    let diagnosis: Diagnosis

    init(
      _ description: String, _ name: String, _ state: Finding.State, _ evidence: String, _ remedy: String?,
      _ change: (inout Diagnosis) -> Void
    ) {
      testDescription = description
      self.name = name
      self.state = state
      self.evidence = evidence
      self.remedy = remedy
      var diagnosis = well
      change(&diagnosis)
      self.diagnosis = diagnosis
    }
  }

  static let system: [Row] = [
    Row("no bus", "bus", .failed, "no such socket", "sudo systemctl start dbus") {
      $0.service = .noBus("no such socket")
    },
    Row("no bluetoothd", "bluetoothd", .failed, "no owner", "sudo systemctl start bluetooth") {
      $0.service = .noDaemon("no owner")
    },
    Row("access denied", "permission", .failed, "Rejected", "sudo usermod -aG bluetooth $USER") {
      $0.service = .denied("Rejected send message")
    },
    Row("bluetoothd sends an unexpected answer", "bluetoothd", .unknown, "words", nil) {
      $0.service = .unclear("words")
    },
    Row("no adapter anywhere", "adapter", .failed, "neither bluetoothd nor the kernel", nil) {
      $0.adapters = []
      $0.kernelAdapters = .success([])
    },
    Row("no adapter in the kernel", "kernel", .failed, "has no Bluetooth adapter", "lsusb") {
      $0.adapters = []
      $0.kernelAdapters = .success([])
    },
    Row(
      "no Bluetooth in the kernel", "kernel", .failed, "has no Bluetooth support", "sudo modprobe bluetooth"
    ) {
      $0.adapters = []
      $0.kernelAdapters = .failure(KernelAdapter.Failure(number: 97))
    },
    Row(
      "bluetoothd has lost the adapter", "adapter", .failed, "the kernel has hci0",
      "sudo systemctl restart bluetooth"
    ) { $0.adapters = [] },
    Row(
      "another adapter was requested", "adapter", .failed, "no hci7 among hci0",
      "stressmon doctor --adapter hci0"
    ) {
      $0.requestedAdapter = "hci7"
    },
    Row("off", "power of hci0", .failed, "off", "bluetoothctl power on") {
      $0.adapters = [adapter(powered: false, state: "off")]
    },
    Row("off, as reported before BlueZ 5.66", "power of hci0", .failed, "off", "bluetoothctl power on") {
      $0.adapters = [adapter(powered: false)]
    },
    Row("soft-blocked", "rfkill", .failed, "by software (soft)", "rfkill unblock bluetooth") {
      $0.adapters = [adapter(powered: false, state: "off-blocked")]
      $0.switches = [RFKillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false)]
    },
    Row(
      "soft-blocked, at the adapter", "power of hci0", .failed, "blocked by rfkill",
      "rfkill unblock bluetooth"
    ) {
      $0.adapters = [adapter(powered: false)]
      $0.switches = [RFKillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false)]
    },
    Row("hard-blocked", "rfkill", .failed, "by a hardware switch (hard)", "rfkill list") {
      $0.adapters = [adapter(powered: false, state: "off-blocked")]
      $0.switches = [
        RFKillSwitch(name: "hci0", isSoftBlocked: true, isHardBlocked: false),
        RFKillSwitch(name: "tpacpi_bluetooth_sw", isSoftBlocked: false, isHardBlocked: true),
      ]
    },
    Row("a switch of another adapter", "rfkill", .warning, "hci1 is blocked", "rfkill unblock bluetooth") {
      $0.switches.append(RFKillSwitch(name: "hci1", isSoftBlocked: true, isHardBlocked: false))
    },
    Row(
      "a container without kernel Bluetooth", "kernel", .warning, "has no Bluetooth support",
      "sudo modprobe bluetooth"
    ) {
      $0.kernelAdapters = .failure(KernelAdapter.Failure(number: 97))
    },
    Row("the kernel denies access", "kernel", .unknown, "Operation not permitted", nil) {
      $0.kernelAdapters = .failure(KernelAdapter.Failure(number: 1))
    },
    Row(
      "autosuspend", "usb power", .warning, "hci0 (Radio) may be suspended",
      "echo on | sudo tee /sys/class/bluetooth/hci0/device/../power/control"
    ) { $0.usb[0].suspendsItself = true },
    Row(
      "a kernel that causes losses after 150 s", "kernel version", .warning, "6.1.0-20-amd64 (6.1.85)",
      "sudo apt full-upgrade"
    ) {
      $0.kernel = KernelRelease(
        release: "6.1.0-20-amd64", version: "#1 SMP PREEMPT_DYNAMIC Debian 6.1.85-1 (2024-04-11)",
        distributions: ["debian"])
    },
  ]

  static let fixture: [Row] = [
    Row(
      "not advertising", "strap", .failed, "not worn, connected to a phone or watch",
      "stressmon scan --duration 30s"
    ) {
      $0.devices = [device(rssi: nil, paired: true)]
    },
    Row(
      "never seen", "strap", .failed, "no strap Polar H10 (C0:00:00:00:00:01) was found",
      "stressmon scan --duration 30s"
    ) {
      $0.devices = []
    },
    Row("no device is found", "scan", .warning, "found no device in a short scan of 6 s", nil) {
      $0.devices = []
      $0.scan = .done(.seconds(6), deviceCount: 0)
    },
    Row(
      "out of range", "strap", .failed, "out of range or the adapter is defective",
      "stressmon scan --duration 30s"
    ) {
      $0.devices = [device(rssi: nil)]
      $0.scan = .done(.seconds(6), deviceCount: 0)
    },
    Row("weak signal", "signal", .warning, "-86 dBm is weak", nil) { $0.devices = [device(rssi: -86)] },
    Row("good signal", "signal", .ok, "-85 dBm", nil) { $0.devices = [device(rssi: -85)] },
    Row("the scan fails", "scan", .failed, "org.bluez.Error.NotReady", "stressmon scan") {
      $0.scan = .failed("org.bluez.Error.NotReady")
    },
    Row(
      "held by another adapter of this machine", "strap", .failed, "is linked to hci1",
      "bluetoothctl disconnect C0:00:00:00:00:01"
    ) {
      $0.adapters.append(adapter("hci1", powered: true))
      $0.devices = [device(rssi: nil), device(on: "hci1", rssi: nil, connected: true)]
    },
    Row(
      "exclusive access by another program", "strap", .failed, "has exclusive access to its heart rate",
      "bluetoothctl disconnect C0:00:00:00:00:01"
    ) { $0.devices = [device(connected: true) { $0.listener = .exclusive }] },
    Row("another program is subscribed", "strap", .ok, "a program on this machine listens to it", nil) {
      $0.devices = [device(connected: true) { $0.listener = .shared }]
    },
    Row("connected without subscribers", "strap", .ok, "is connected", nil) {
      $0.devices = [device(rssi: nil, connected: true)]
    },
    Row(
      "several straps and no selection", "strap", .failed, "2 straps answer",
      "stressmon live --strap C0:00:00:00:00:01"
    ) {
      $0.selection = .any
      $0.devices = [device(), device(other)]
    },
    Row(
      "blocked in bluetoothd", "blocked", .failed, "configured to reject",
      "bluetoothctl unblock C0:00:00:00:00:01"
    ) {
      $0.devices = [device { $0.isBlocked = true }]
    },
    Row("wrong bearer", "bearer", .warning, "as classic Bluetooth", "bluetoothctl remove C0:00:00:00:00:01") {
      $0.devices = [device { $0.isClassic = true }]
    },
    Row("a private address", "address", .warning, "private address", "stressmon pair C0:00:00:00:00:01") {
      $0.devices = [device { $0.isPrivateAddress = true }]
    },
  ]

  private static let anew = "stressmon unpair C0:00:00:00:00:01 && stressmon pair C0:00:00:00:00:01"

  static let bonds: [Row] = [
    Row("bonded", "bond", .ok, "paired", nil) { $0.devices = [device(paired: true)] },
    Row(
      "bonded elsewhere", "bond", .warning, "bonded with hci1, not with hci0",
      "stressmon pair C0:00:00:00:00:01 --adapter hci0"
    ) {
      $0.adapters.append(adapter("hci1", powered: true))
      $0.devices.append(device(on: "hci1", rssi: nil, paired: true))
    },
    Row("requires a bond", "bond", .warning, "requires a bond", "stressmon pair C0:00:00:00:00:01") {
      $0.past = past { $0.reasons = ["org.bluez.Error.NotPermitted: Not paired"] }
    },
    Row("lost bond", "bond", .warning, "the bond is lost", anew) {
      $0.devices = [device(paired: true)]
      $0.past = past { $0.reasons = ["org.bluez.Error.Failed: le-connection-key-missing"] }
    },
    Row("keys that are not persistent", "bond", .warning, "without persistent keys", anew) {
      $0.devices = [device(paired: true) { $0.lacksBond = true }]
    },
    Row("low battery", "battery", .warning, "15 %: a weak battery", nil) {
      $0.devices = [device(connected: true) { $0.battery = BatteryLevel(percent: 15) }]
    },
    Row("low battery the last time", "battery", .warning, "9 % in its last session", nil) {
      $0.past = past { $0.battery = BatteryLevel(percent: 9) }
    },
    Row("battery", "battery", .ok, "16 %", nil) {
      $0.devices = [device(connected: true) { $0.battery = BatteryLevel(percent: 16) }]
      $0.past = past { $0.battery = BatteryLevel(percent: 9) }
    },
    Row("no RR", "rr", .warning, "600 heart rates and no RR interval", nil) {
      $0.past = past { $0.withRR = 0 }
    },
    Row("RR", "rr", .ok, "sends RR intervals", nil) { $0.past = past { _ in } },
    Row("links of equal length", "links", .warning, "3 links in its last session ended after 149 s", nil) {
      $0.past = past { $0.linkLengths = [.seconds(150), .seconds(149), .seconds(151)] }
    },
  ]

  @Test(arguments: system + fixture + bonds)
  func eachProblemHasItsFinding(row: Row) throws {
    let finding = try #require(
      row.diagnosis.findings.first { $0.name == row.name }, "\(row.diagnosis.findings)")
    #expect(finding.state == row.state)
    #expect(finding.evidence.contains(row.evidence), "\(finding.evidence)")
    #expect(finding.remedy == row.remedy)
    #expect(!finding.evidence.contains("\n"))
  }

  /// A layer that is off or absent is reported once, and findings that depend on it are omitted.
  @Test(arguments: system)
  func withoutAnAdapterThereAreNoStrapFindings(row: Row) {
    let names = row.diagnosis.findings.map(\.name)
    #expect(Set(names).count == names.count)
    guard row.state == .failed else { return }
    #expect(!names.contains("strap") && !names.contains("scan"))
  }

  @Test func aWorkingSystemHasNoProblems() {
    #expect(Self.well.findings.allSatisfy { $0.state == .ok && $0.remedy == nil }, "\(Self.well.findings)")
    #expect(
      Self.well.findings.map(\.name) == [
        "kernel", "rfkill", "usb power", "kernel version", "bus", "bluetoothd", "adapter", "power of hci0",
        "scan", "strap", "signal", "model",
      ])
  }

  /// A second adapter that is off is no obstacle to the one that is on.
  @Test func findingsConcernTheAdapterThatASessionUses() {
    var diagnosis = Self.well
    diagnosis.adapters = [Self.adapter(powered: false), Self.adapter("hci1", powered: true)]
    diagnosis.devices = [Self.device(on: "hci1")]
    #expect(diagnosis.findings.allSatisfy { $0.state == .ok })
    #expect(diagnosis.findings.contains { $0.name == "power of hci1" })
  }

  /// The last session of one strap has no effect on the findings of another.
  @Test func anEarlierSessionAffectsOnlyItsOwnStrap() {
    var diagnosis = Self.well
    diagnosis.selection = .any
    diagnosis.devices = [Self.device(Self.other)]
    diagnosis.past = Self.past {
      $0.withRR = 0
      $0.linkLengths = [.seconds(150), .seconds(150)]
      $0.reasons = ["org.bluez.Error.NotPermitted: Not paired"]
    }
    #expect(diagnosis.findings.allSatisfy { $0.state == .ok }, "\(diagnosis.findings)")
  }
}
