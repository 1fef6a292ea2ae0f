import HeartRate

/// Everything that the doctor looked at. What is wrong follows from it alone: ``findings`` does no input or output.
struct Diagnosis: Equatable, Sendable {
  /// What came of asking for bluetoothd's objects.
  enum Service: Equatable, Sendable {
    case noBus(String)
    case noDaemon(String)
    case denied(String)
    case unclear(String)
    case answers(owner: String)
  }

  /// What came of listening.
  enum Scan: Equatable, Sendable {
    /// There was no need, or nothing to listen with.
    case none
    case failed(String)
    /// For how long, and how many devices of any kind were heard.
    case done(Duration, deviceCount: Int)
  }

  var kernel = KernelRelease(release: "")
  var kernelAdapters: Result<[KernelAdapter], KernelAdapter.Failure> = .success([])
  var switches: [RFKillSwitch] = []
  var usb: [USBPower] = []
  var service: Service
  var adapters: [Adapter] = []
  /// `hci0` or an address, where one was asked for.
  var requestedAdapter: String?
  /// What bluetoothd knows, of all adapters; with the signal as it was while the scan went on.
  var devices: [SeenDevice] = []
  var scan = Scan.none
  var selection = StrapSelection.any
  var past: PastSession?

  /// The adapter that a session would use.
  var adapter: Adapter? {
    guard let requestedAdapter else { return adapters.first { $0.powered } ?? adapters.first }
    return adapters.first { $0.hasNameOrAddress(requestedAdapter) }
  }

  var isAdapterOn: Bool { adapter?.power == .on }
}

/// A device as bluetoothd tells of it, for the doctor.
struct SeenDevice: Equatable, Sendable {
  /// Who gets the values of its heart rate.
  enum Listener: Equatable, Sendable {
    case nobody
    /// Some program on this machine, which may be one of several.
    case somebody
    /// A program on this machine, and nobody beside it (AcquireNotify).
    case oneAlone
  }

  /// The name of the adapter that knows it.
  var adapter: String
  var found: FoundStrap
  var isPrivateAddress = false
  /// Paired, but without keys that outlast the link.
  var lacksBond = false
  /// The person told bluetoothd to have nothing to do with it.
  var isBlocked = false
  /// bluetoothd takes it for a device of classic Bluetooth (BR/EDR), as straps are not.
  var isClassic = false
  var battery: BatteryLevel?
  var listener = Listener.nobody

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
    // A class of device is told in an inquiry of classic Bluetooth only.
    isClassic =
      (properties["Class"]?.uint32 ?? 0) != 0 || properties["PreferredBearer"]?.string == "bredr"
      || tree.properties(of: "org.bluez.Bearer.BREDR1", at: path) != nil
    battery = tree.battery(of: device)
    let measurement = tree.characteristic(GATTUUID.heartRateMeasurement, of: device)
    listener = measurement.map { tree.listener(at: $0, isConnected: device.connected) } ?? .nobody
  }

  /// Whether a random address is a resolvable private one, which changes: its two highest bits are 01 (Bluetooth Core 5.4,
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

  /// Who listens to a characteristic. Without a link nobody does, whatever `Notifying` still says.
  fileprivate func listener(at path: String, isConnected: Bool) -> SeenDevice.Listener {
    guard isConnected, let properties = properties(of: "org.bluez.GattCharacteristic1", at: path) else {
      return .nobody
    }
    if properties["NotifyAcquired"]?.bool == true { return .oneAlone }
    return properties["Notifying"]?.bool == true ? .somebody : .nobody
  }
}
