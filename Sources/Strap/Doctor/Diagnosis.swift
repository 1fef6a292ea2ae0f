import DBus
import HeartRate
package import Localization

/// Everything that `doctor` examined. ``findings`` is derived from it without input or output.
struct Diagnosis: Equatable, Sendable {
  /// The result of reading bluetoothd's objects.
  enum Service: Equatable, Sendable {
    case noBus(String)
    case noDaemon(String)
    case denied(String)
    case unclear(String)
    case answers(owner: String)
  }

  /// The result of the scan.
  enum Scan: Equatable, Sendable {
    /// Not necessary, or not possible.
    case none
    case failed(String)
    /// The duration, and the number of devices of any kind that were found.
    case done(Duration, deviceCount: Int)
  }

  var kernel = KernelRelease(release: "")
  var kernelAdapters: Result<[KernelAdapter], KernelAdapter.Failure> = .success([])
  var switches: [RFKillSwitch] = []
  var usb: [USBPower] = []
  var service: Service
  var adapters: [Adapter] = []
  /// `hci0` or an address, if an adapter was requested.
  var requestedAdapter: String?
  /// The devices of all adapters, with the signal strengths during the scan.
  var devices: [SeenDevice] = []
  var scan = Scan.none
  var selection = StrapSelection.any
  var past: PastSession?
  /// The streams that were running without a receiver, and were stopped.
  var unusedStreams: [UnusedStreams] = []

  /// The adapter that a session would use.
  var adapter: Adapter? {
    guard let requestedAdapter else { return adapters.first { $0.powered } ?? adapters.first }
    return adapters.first { $0.hasNameOrAddress(requestedAdapter) }
  }

  var isAdapterOn: Bool { adapter?.power == .on }
}

/// Sensor streams without a receiver on this machine.
struct UnusedStreams: Equatable, Sendable {
  var strap: StrapIdentity
  var streams: [SensorStream]

  var finding: Finding {
    let names = streams.map(\.name).joined(separator: ", ")
    return Finding(
      "streams", .warning,
      Phrase(
        "\(strap.description) was still sending \(names), which no program receives and which empties its battery; stopped"
      ))
  }
}

/// The properties of a device that `doctor` examines.
struct SeenDevice: Equatable, Sendable {
  /// The access of programs on this machine to its heart rate.
  enum Listener: Equatable, Sendable {
    case none
    /// At least one program is subscribed.
    case shared
    /// One program has exclusive access (AcquireNotify).
    case exclusive
  }

  /// The name of its adapter.
  var adapter: String
  var found: FoundStrap
  var isPrivateAddress = false
  /// Paired without persistent keys.
  var lacksBond = false
  /// Blocked by the user in bluetoothd.
  var isBlocked = false
  /// Treated by bluetoothd as a device of classic Bluetooth (BR/EDR), which straps do not use.
  var isClassic = false
  var battery: BatteryLevel?
  var listener = Listener.none

  var strap: StrapIdentity { found.strap }
}

extension SeenDevice {
  init(path: String, properties: ObjectTree.Properties, in tree: ObjectTree) {
    let device = Device(path: path, properties: properties)
    let owner =
      properties["Adapter"]?.objectPath ?? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    adapter = owner.split(separator: "/").last.map(String.init) ?? owner
    found = device.found
    isPrivateAddress =
      properties["AddressType"]?.string == "random" && Self.isPrivate(device.address)
    lacksBond = device.paired && properties["Bonded"]?.bool == false
    isBlocked = properties["Blocked"]?.bool ?? false
    // Only an inquiry of classic Bluetooth yields a class of device.
    isClassic =
      (properties["Class"]?.uint32 ?? 0) != 0 || properties["PreferredBearer"]?.string == "bredr"
      || tree.properties(of: "org.bluez.Bearer.BREDR1", at: path) != nil
    battery = tree.battery(of: device)
    let measurement = tree.characteristic(GATTUUID.heartRateMeasurement, of: device)
    listener =
      measurement.map { tree.listener(at: $0, isConnected: device.connected) } ?? SeenDevice.Listener.none
  }

  /// Whether a random address is resolvable private and therefore changes: its two highest bits are 01 (Bluetooth Core 5.4,
  /// Vol 6, Part B, 1.3.2.2).
  private static func isPrivate(_ address: String) -> Bool {
    UInt8(address.prefix(2), radix: 16).map { $0 >> 6 == 0b01 } ?? false
  }
}

extension ObjectTree {
  /// Every device of every adapter.
  var seenDevices: [SeenDevice] {
    all(with: Device.interface).map { SeenDevice(path: $0.path, properties: $0.properties, in: self) }
  }

  /// The access to a characteristic. Without a link there is none, even if `Notifying` is still true.
  fileprivate func listener(at path: String, isConnected: Bool) -> SeenDevice.Listener {
    guard isConnected, let properties = properties(of: "org.bluez.GattCharacteristic1", at: path) else {
      return .none
    }
    if properties["NotifyAcquired"]?.bool == true { return .exclusive }
    return properties["Notifying"]?.bool == true ? .shared : .none
  }
}

/// The result of one check of `doctor`.
package struct Finding: Sendable {
  package enum State: String, Sendable, CaseIterable {
    case ok
    /// May cause problems.
    case warning
    /// Prevents every session.
    case failed
    /// Could not be determined.
    case unknown
  }

  /// What was checked, in one to three words.
  package var name: String
  package var state: State
  /// The observation, in one line.
  package var text: Phrase
  /// A command that solves the problem, if there is one.
  package var remedy: String?

  package init(_ name: String, _ state: State, _ text: Phrase, remedy: String? = nil) {
    self.name = name
    self.state = state
    self.text = text
    self.remedy = remedy
  }

  /// - Parameter evidence: a text that is the same in every language, such as a message of the system.
  package init(_ name: String, _ state: State, _ evidence: String, remedy: String? = nil) {
    self.init(name, state, Phrase(untranslated: evidence), remedy: remedy)
  }

  /// ``text`` in English.
  package var evidence: String { Language.english.text(text) }

  /// The same finding with `warning` instead of `failed`, for a problem that is no obstacle.
  var asWarning: Finding {
    var finding = self
    if state == .failed { finding.state = .warning }
    return finding
  }
}

extension Finding: Equatable {
  /// Findings are equal if their English texts are.
  package static func == (a: Finding, b: Finding) -> Bool {
    (a.name, a.state, a.evidence, a.remedy) == (b.name, b.state, b.evidence, b.remedy)
  }
}

// From the kernel to the adapter.
extension Diagnosis {
  /// All findings, from the kernel to the strap and its last session.
  var findings: [Finding] {
    // If the adapter is on, no lower layer is an obstacle: a blocked switch may be another adapter's, and in a container
    // bluetoothd may have adapters that are not visible in this kernel namespace.
    let kernel = KernelAdapter.finding(kernelAdapters)
    let rfkill = RFKillSwitch.finding(switches)
    let below = isAdapterOn ? [kernel.asWarning, rfkill.asWarning] : [kernel, rfkill]
    return below + [USBPower.finding(usb), self.kernel.finding].compactMap { $0 } + serviceFindings
      + strapFindings
  }

  private var serviceFindings: [Finding] {
    let bus = Finding("bus", .ok, Phrase("connected to the system bus"))
    switch service {
    case .noBus(let message): return [Finding("bus", .failed, message, remedy: StrapError.noBus("").command)]
    case .denied(let message):
      return [bus, Finding("permission", .failed, message, remedy: StrapError.accessDenied("").command)]
    case .noDaemon(let message):
      return [bus, Finding("bluetoothd", .failed, message, remedy: StrapError.noBluetoothd("").command)]
    case .unclear(let message): return [bus, Finding("bluetoothd", .unknown, message)]
    case .answers(let owner):
      let service = Finding("bluetoothd", .ok, Phrase("org.bluez is \(owner), and this user has access"))
      return [bus, service] + adapterFindings
    }
  }

  private var adapterFindings: [Finding] {
    guard !adapters.isEmpty else { return [noAdapter] }
    let known = adapters.map { "\($0.name) \($0.address)" }.joined(separator: ", ")
    guard let adapter else {
      return [
        Finding(
          "adapter", .failed, Phrase("no \(requestedAdapter ?? "") among \(known)"),
          remedy: "stressmon doctor --adapter \(adapters[0].name)")
      ]
    }
    return [Finding("adapter", .ok, known), power(of: adapter)]
  }

  /// The kernel may have an adapter that bluetoothd does not know.
  private var noAdapter: Finding {
    guard case .success(let known) = kernelAdapters, let first = known.first else {
      return Finding(
        "adapter", .failed, Phrase("neither bluetoothd nor the kernel has an adapter: plug one in"))
    }
    return Finding(
      "adapter", .failed, Phrase("the kernel has \(first.name), bluetoothd knows no adapter"),
      remedy: "sudo systemctl restart bluetooth")
  }

  private func power(of adapter: Adapter) -> Finding {
    let name = "power of \(adapter.name)"
    switch BluetoothSnapshot.AdapterState(adapter, switches) {
    case .ready: return Finding(name, .ok, adapter.powerState.map(Phrase.init(known:)) ?? Phrase("on"))
    case .blocked(_, let hard):
      let problem = StrapError.adapterBlocked(adapter.name, hard: hard)
      return Finding(name, .failed, Phrase("off, blocked by rfkill"), remedy: problem.command)
    case .off, .absent:
      let problem = StrapError.adapterOff(adapter.name)
      return Finding(
        name, .failed, adapter.powerState.map(Phrase.init(known:)) ?? Phrase("off"),
        remedy: problem.command)
    }
  }
}
