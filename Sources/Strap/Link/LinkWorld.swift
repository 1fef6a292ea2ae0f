import HeartRate

/// What bluetoothd says is there: the facts by which the link is judged, looked at anew after each change.
struct LinkWorld: Equatable, Sendable {
  enum AdapterState: Equatable, Sendable {
    /// None, or not the one asked for.
    case absent(present: [String])
    case off(name: String)
    /// By rfkill.
    case blocked(name: String, hard: Bool)
    case ready
  }

  struct Sighting: Equatable, Sendable {
    var found: FoundStrap
    var servicesResolved = false
    /// The object of the Heart Rate Measurement characteristic, if it is there.
    var measurement: String?
  }

  var adapter: AdapterState = .absent(present: [])
  var sightings: [Sighting] = []

  func sighting(of strap: StrapIdentity?) -> Sighting? {
    sightings.first { $0.found.strap.address == strap?.address }
  }
}
