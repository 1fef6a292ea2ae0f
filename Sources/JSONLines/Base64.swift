import FoundationEssentials

/// Base64 with the standard alphabet (RFC 4648, section 4), only in its canonical form: no other character, no spare bits that
/// are set.
package enum Base64 {
  package static func encode(_ bytes: some Sequence<UInt8>, padding: Bool = true) -> String {
    let text = Data(bytes).base64EncodedString()
    return padding ? text : String(text.prefix { $0 != "=" })
  }

  /// Decodes a text with its padding, or one without padding. Fails unless it is the canonical text of some bytes.
  package static func decode(_ text: some Collection<UInt8>, padding: Bool = true) -> [UInt8]? {
    var text = Data(text)
    if !padding {
      guard text.last != UInt8(ascii: "=") else { return nil }
      text += repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    }
    // Foundation also accepts forms that are not canonical.
    guard let bytes = Data(base64Encoded: text), bytes.base64EncodedData() == text else { return nil }
    return Array(bytes)
  }
}
