import HeartRate

/// The objects that bluetoothd exports, as far as they concern the link; taken again after each change.
struct BluetoothSnapshot: Equatable, Sendable {
  enum AdapterState: Equatable, Sendable {
    /// There is no adapter, or not the requested one.
    case absent(present: [String])
    case off(name: String)
    /// Blocked by rfkill; `hard` by a hardware switch.
    case blocked(name: String, hard: Bool)
    case ready
  }

  struct Sighting: Equatable, Sendable {
    var found: FoundStrap
    var servicesResolved = false
    /// The object of the Heart Rate Measurement characteristic, if it exists.
    var measurement: String?
    /// The characteristics of the sensor streams, if the strap is linked and has them.
    var sensors: SensorCharacteristics?
    /// Whether the strap has only the sensor protocol of its first firmware.
    var hasEarlierSensors = false
  }

  var adapter: AdapterState = .absent(present: [])
  var sightings: [Sighting] = []

  func sighting(of strap: StrapIdentity?) -> Sighting? {
    sightings.first { $0.found.strap.address == strap?.address }
  }

  var found: [FoundStrap] { sightings.map(\.found) }

  /// The reachable devices that may be straps, listed in errors.
  var candidates: [FoundStrap] {
    found.filter { $0.isAnswering && ($0.hasHeartRate || $0.hasTypicalName) }
  }

  /// Why the adapter cannot be used, if this is the case.
  func adapterProblem(requested: String?) -> StrapError? {
    switch adapter {
    case .ready: nil
    case .absent(let present): .noAdapter(wanted: requested, present: present)
    case .off(let name): .adapterOff(name)
    case .blocked(let name, let hard): .adapterBlocked(name, hard: hard)
    }
  }
}
