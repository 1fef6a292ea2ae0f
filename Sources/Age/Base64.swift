import FoundationEssentials

/// Standard base64 (RFC 4648, section 4), only in its canonical form: no other character, no spare bits that are set.
enum Base64 {
  /// Without padding, as in headers.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let text = encodePadded(bytes)
    return String(text.prefix { $0 != "=" })
  }

  static func encodePadded(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }

  /// - Returns: The bytes of a text without padding in the canonical form.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.last != UInt8(ascii: "=") else { return nil }
    return decodePadded(text + [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4))
  }

  /// - Returns: The bytes of a text with its padding in the canonical form.
  static func decodePadded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0, let decoded = Data(base64Encoded: Data(text)) else { return nil }
    // Foundation also accepts forms that are not canonical.
    return decoded.base64EncodedData().elementsEqual(text) ? [UInt8](decoded) : nil
  }
}
