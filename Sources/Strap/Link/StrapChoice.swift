import HeartRate

/// What a scan has come to, for a selection.
enum StrapChoice: Equatable, Sendable {
  case none
  case one(FoundStrap)
  case several([FoundStrap])

  /// Chooses among the devices that answer. Other people's straps are never taken by chance: without an
  /// address, more than one that fits is no choice.
  init(_ selection: StrapSelection, among devices: [FoundStrap]) {
    let fitting = devices.filter { $0.isAnswering && selection.fits($0) }
    switch fitting.count {
    case 0: self = .none
    case 1: self = .one(fitting[0])
    default: self = .several(fitting)
    }
  }
}

extension StrapSelection {
  /// With `any`, only what is known to have the service or is called like a strap.
  func fits(_ device: FoundStrap) -> Bool {
    switch self {
    case .address(let address): device.strap.address == address.uppercased()
    case .name(let name): device.strap.name?.lowercased() == name.lowercased()
    case .remembered([]), .any: device.hasHeartRate || device.isCalledLikeAStrap
    case .remembered(let straps): straps.contains { $0.address == device.strap.address }
    }
  }

  /// Whether at most one device can fit, so that the first is the right one.
  var isUnique: Bool {
    switch self {
    case .address: true
    case .remembered(let straps): straps.count == 1
    case .name, .any: false
    }
  }
}

extension FoundStrap {
  /// Bands that do not always advertise 0x180D are known by the beginning of their names.
  var isCalledLikeAStrap: Bool {
    guard let name = strap.name?.lowercased() else { return false }
    return Self.names.contains { name.hasPrefix($0) }
  }

  private static let names = [
    "polar h", "polar oh1", "polar sense", "hrm", "tickr", "wahoo tickr", "coospo", "h808", "h6m", "h9z",
    "magene h", "movesense", "suunto smart", "garmin hrm", "heart rate", "whoop", "decathlon hrm", "zephyr",
  ]
}
