import HeartRate

/// The result of a scan for a selection.
enum StrapChoice: Equatable, Sendable {
  case none
  case one(FoundStrap)
  case several([FoundStrap])

  /// Chooses among the devices that answer. If neither an address nor the last use decides, several devices that fit are
  /// ambiguous: another person's strap must never be used by accident.
  init(_ selection: StrapSelection, among devices: [FoundStrap]) {
    let fitting = selection.best(of: devices.filter { $0.isAnswering && selection.fits($0) })
    switch fitting.count {
    case 0: self = .none
    case 1: self = .one(fitting[0])
    default: self = .several(fitting)
    }
  }
}

extension StrapSelection {
  /// With `any`, only devices that have the service or a name typical of straps.
  func fits(_ device: FoundStrap) -> Bool {
    switch self {
    case .address(let address): device.strap.address == address.uppercased()
    case .name(let text): device.strap.name.map { Self.matches($0, text) } ?? false
    case .remembered([]), .any: device.hasHeartRate || device.hasTypicalName
    case .remembered(let straps): straps.contains { $0.address == device.strap.address }
    }
  }

  /// Those of `devices` (which all fit) that fit best, each address once: exact names before partial ones, and of
  /// remembered straps the most recently used.
  func best(of devices: [FoundStrap]) -> [FoundStrap] {
    var seen: Set<String> = []
    let devices = devices.filter { seen.insert($0.strap.address).inserted }
    switch self {
    case .name(let text):
      let exact = devices.filter { $0.strap.name?.lowercased() == text.lowercased() }
      return exact.isEmpty ? devices : exact
    case .remembered(let straps) where !straps.isEmpty:
      let latest = straps.lazy.compactMap { strap in devices.first { $0.strap.address == strap.address } }
        .first
      return latest.map { [$0] } ?? []
    case .address, .remembered, .any: return devices
    }
  }

  /// Whether a scan can end with `device`, because no other device could fit better.
  func prefers(_ device: FoundStrap) -> Bool {
    if case .remembered(let straps) = self { return straps.first?.address == device.strap.address }
    return isUnique
  }

  /// Whether a name begins with `text` or contains it as whole words, ignoring case.
  private static func matches(_ name: String, _ text: String) -> Bool {
    let (name, text) = (name.lowercased(), text.lowercased())
    return !text.isEmpty && (name.hasPrefix(text) || " \(name) ".contains(" \(text) "))
  }

  /// Whether at most one device can fit. The first is then the right one.
  var isUnique: Bool {
    switch self {
    case .address: true
    case .remembered(let straps): straps.count == 1
    case .name, .any: false
    }
  }
}

extension FoundStrap {
  /// Straps that do not always advertise 0x180D are recognized by the prefix of their name.
  var hasTypicalName: Bool {
    guard let name = strap.name?.lowercased() else { return false }
    return Self.namePrefixes.contains { name.hasPrefix($0) }
  }

  private static let namePrefixes = [
    "polar h", "polar oh1", "polar sense", "hrm", "tickr", "wahoo tickr", "coospo", "h808", "h6m", "h9z",
    "magene h", "movesense", "suunto smart", "garmin hrm", "heart rate", "whoop", "decathlon hrm", "zephyr",
  ]
}
