public import HeartRate

/// Which strap is meant.
public enum StrapSelection: Equatable, Sendable {
  /// The one with this Bluetooth address.
  case address(String)
  /// The only one whose name is this text, or else begins with it or contains it as whole words. Case is ignored.
  case name(String)
  /// Straps used before, the most recently used first: the first that answers.
  case remembered([StrapIdentity])
  /// Whichever answers, provided that only one does.
  case any
}

extension StrapSelection: CustomStringConvertible {
  /// Reads what a person typed: an address if it looks like one, else a name.
  public init(_ text: String) {
    self = Self.isAddress(text) ? .address(text.uppercased()) : .name(text)
  }

  public var description: String {
    switch self {
    case .address(let address): "strap \(address)"
    case .name(let name): "strap named \"\(name)\""
    case .remembered(let straps): "strap " + straps.map(\.description).joined(separator: " or ")
    case .any: "heart-rate strap"
    }
  }

  /// Whether a known strap matches.
  public func means(_ strap: StrapIdentity) -> Bool { fits(FoundStrap(strap: strap)) }

  /// The known straps that match best: exact names before partial ones.
  public func matches(in straps: [StrapIdentity]) -> [StrapIdentity] {
    best(of: straps.map { FoundStrap(strap: $0) }.filter(fits)).map(\.strap)
  }

  static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
  }
}

/// A strap, or something like one, that a scan has found.
public struct FoundStrap: Equatable, Sendable {
  public var strap: StrapIdentity
  /// Received signal strength in dBm; nil where the adapter does not tell.
  public var rssi: Int?
  public var isPaired: Bool
  public var isConnected: Bool
  /// Whether it is known to have the Heart Rate service (0x180D); if not, only its name speaks for it.
  public var hasHeartRate: Bool
  /// Whether it was heard just now or is connected, not merely known from earlier.
  public var isAnswering: Bool

  public init(
    strap: StrapIdentity, rssi: Int? = nil, isPaired: Bool = false, isConnected: Bool = false,
    hasHeartRate: Bool = true, isAnswering: Bool = true
  ) {
    self.strap = strap
    self.rssi = rssi
    self.isPaired = isPaired
    self.isConnected = isConnected
    self.hasHeartRate = hasHeartRate
    self.isAnswering = isAnswering
  }
}

/// What a strap says about itself, read once after connecting.
public struct StrapDetails: Equatable, Sendable {
  public var strap: StrapIdentity
  public var bodyLocation: BodySensorLocation?
  public var battery: BatteryLevel?
  public var isPaired: Bool
  /// Whether the connection existed before; it is then left as it was.
  public var wasConnected: Bool
}
