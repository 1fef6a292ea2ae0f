import LiveSession

/// An address that the user chose, with the value that is sent to it: `/lights/pulse:hr:float:0.01`.
package struct OSCAddress: Equatable, Sendable {
  package enum ArgumentType: String, CaseIterable, Sendable {
    case int
    case float
    /// Whether there is a value.
    case bool
    case string
  }

  private let address: String
  private let value: ValueName
  private let type: ArgumentType
  /// The factor of numbers.
  private let scale: Double

  /// Parses `ADDRESS:VALUE[:TYPE[:SCALE]]`; the type is `int` and the scale 1 by default.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard (2...4).contains(parts.count), parts[0].hasPrefix("/"), Self.isValid(parts[0]),
      let value = ValueName(rawValue: parts[1]),
      let type = ArgumentType(rawValue: parts.count > 2 ? parts[2] : "int"),
      let scale = parts.count > 3 ? Double(parts[3]) : 1, scale.isFinite
    else { return nil }
    (address, self.value, self.type, self.scale) = (parts[0], value, type, scale)
  }

  /// The printable characters of OSC 1.0 without those of patterns.
  private static func isValid(_ address: String) -> Bool {
    address.utf8.count > 1 && address.utf8.count <= 256
      && address.unicodeScalars.allSatisfy {
        (0x21...0x7E).contains($0.value) && !"#*,?[]{}".unicodeScalars.contains($0)
      }
  }

  /// OSC has no absent values: a number without data is 0, and a text is empty.
  func message(_ values: LiveValues) -> OSCMessage {
    let number = (values.number(value) ?? 0) * scale
    switch type {
    case .int:
      return OSCMessage(address, .int(Int32(min(max(number, -2_147_483_648), 2_147_483_647).rounded())))
    case .float: return OSCMessage(address, .float(Float(number)))
    case .bool: return OSCMessage(address, .bool(values.number(value) != nil))
    case .string: return OSCMessage(address, .string(values.text(value) ?? ""))
    }
  }
}
