package import Localization

/// A 128-bit identifier of a vault, a device, a session or a shared record.
///
/// Its text has 26 characters of Crockford's base 32 in lower case, which is a file name also on file systems that ignore
/// case. The identifiers of sessions are the ULIDs of the history.
package struct SharedID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let bits: UInt128

  package init(bits: UInt128) { self.bits = bits }

  /// A random identifier.
  package init(using generator: inout some RandomNumberGenerator) {
    bits = UInt128(generator.next()) << 64 | UInt128(generator.next())
  }

  /// Parses ``text``, in either case. Fails for any other text.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 26 else { return nil }
    var bits: UInt128 = 0
    for (place, byte) in text.utf8.enumerated() {
      let digit = Self.values[Int(byte)]
      // The first of the 26 characters has 3 bits.
      guard digit < (place == 0 ? 8 : 32) else { return nil }
      bits = bits << 5 | UInt128(digit)
    }
    self.bits = bits
  }

  package var text: String {
    var characters = [UInt8](repeating: 0, count: 26)
    var rest = bits
    for index in stride(from: 25, through: 0, by: -1) {
      characters[index] = Self.digits[Int(truncatingIfNeeded: rest & 31)]
      rest >>= 5
    }
    return String(decoding: characters, as: UTF8.self)
  }

  package var description: String { text }
  package static func < (a: SharedID, b: SharedID) -> Bool { a.bits < b.bits }

  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// The value of each character; 255 for bytes that are not a digit.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() {
      values[Int(digit)] = UInt8(value)
      if digit >= UInt8(ascii: "a") { values[Int(digit) - 32] = UInt8(value) }
    }
    return values
  }()
}

extension Phrase.Template.StringInterpolation {
  package mutating func appendInterpolation(_ id: SharedID) { appendInterpolation(id.text) }
}
