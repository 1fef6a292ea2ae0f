package import HeartRate
package import Localization

/// Selects a strap.
package enum StrapSelection: Equatable, Sendable {
  /// The strap with this Bluetooth address.
  case address(String)
  /// The only one whose name is this text, or else begins with it or contains it as whole words. Case is ignored.
  case name(String)
  /// Straps used before, the most recently used first: the first that answers.
  case remembered([StrapIdentity])
  /// The only strap that answers.
  case any
}

extension StrapSelection: CustomStringConvertible {
  /// Parses user input: a text in the format of an address is an address, any other text is a name.
  package init(_ text: String) {
    self = Self.isAddress(text) ? .address(text.uppercased()) : .name(text)
  }

  package var description: String {
    switch self {
    case .address(let address): "strap \(address)"
    case .name(let name): "strap named \"\(name)\""
    case .remembered(let straps): "strap " + straps.map(\.description).joined(separator: " or ")
    case .any: "heart-rate strap"
    }
  }

  /// Whether a known strap matches.
  package func means(_ strap: StrapIdentity) -> Bool { fits(FoundStrap(strap: strap)) }

  /// The known straps that match best: exact names before partial ones.
  package func matches(in straps: [StrapIdentity]) -> [StrapIdentity] {
    best(of: straps.map { FoundStrap(strap: $0) }.filter(fits)).map(\.strap)
  }

  static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
  }
}

/// A device that was found by a scan or is known to BlueZ, and that may be a strap.
package struct FoundStrap: Equatable, Sendable {
  package var strap: StrapIdentity
  /// Received signal strength in dBm, if the adapter reports it.
  package var rssi: Int?
  package var isPaired: Bool
  package var isConnected: Bool
  /// Whether it is known to have the Heart Rate service (0x180D); if not, it is recognized only by its name.
  package var hasHeartRate: Bool
  /// Whether it is connected or was received in the current scan.
  package var isAnswering: Bool

  package init(
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

/// The details of a strap, read once after connecting.
package struct StrapDetails: Equatable, Sendable {
  package var strap: StrapIdentity
  package var bodyLocation: BodySensorLocation?
  package var battery: BatteryLevel?
  package var isPaired: Bool
  /// Whether the connection existed before the session, which then does not end it.
  package var wasConnected: Bool
}

extension StrapSelection {
  /// The description as a phrase.
  package var phrase: Phrase {
    switch self {
    case .address(let address): Phrase("strap \(address)")
    case .name(let name): Phrase("strap named \"\(name)\"")
    case .remembered(let straps): Phrase("strap \(Self.alternatives(straps))")
    case .any: Phrase("heart-rate strap")
    }
  }

  private static func alternatives(_ straps: [StrapIdentity]) -> Phrase {
    let names = straps.map { Phrase(untranslated: $0.description) }
    guard let first = names.first else { return Phrase(joining: [], separator: String()) }
    return names.dropFirst().reduce(first) { Phrase("\($0) or \($1)") }
  }
}
