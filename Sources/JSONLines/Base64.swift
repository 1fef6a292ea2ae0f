// Base64 with the standard alphabet and padding (RFC 4648, section 4).

private let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
private let padding = UInt8(ascii: "=")

/// The value of each digit; 255 for any other byte.
private let digits: [UInt8] = {
  var digits = [UInt8](repeating: 255, count: 256)
  for (value, digit) in alphabet.enumerated() { digits[Int(digit)] = UInt8(value) }
  return digits
}()

extension [UInt8] {
  /// Appends the text of `value`.
  package mutating func append(base64 value: [UInt8]) {
    for start in stride(from: 0, to: value.count, by: 3) {
      let count = Swift.min(3, value.count - start)
      var word: UInt32 = 0
      for index in 0..<3 { word = word << 8 | (index < count ? UInt32(value[start + index]) : 0) }
      for index in 0..<4 {
        append(index <= count ? alphabet[Int(word >> UInt32(18 - 6 * index) & 63)] : padding)
      }
    }
  }

  /// Decodes a text. Fails unless it is the canonical text of some bytes.
  package init?(base64 text: ArraySlice<UInt8>) {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padded = text.suffix(2).count { $0 == padding }
    self = []
    reserveCapacity(text.count / 4 * 3)
    for start in stride(from: text.startIndex, to: text.endIndex, by: 4) {
      let isLast = start + 4 == text.endIndex
      var word: UInt32 = 0
      for index in 0..<4 {
        let isPadding = isLast && index >= 4 - padded
        guard isPadding == (text[start + index] == padding) else { return nil }
        let digit = isPadding ? 0 : digits[Int(text[start + index])]
        guard digit < 64 else { return nil }
        word = word << 6 | UInt32(digit)
      }
      for index in 0..<(isLast ? 3 - padded : 3) {
        append(UInt8(truncatingIfNeeded: word >> UInt32(16 - 8 * index)))
      }
      let unused: UInt32 = isLast ? [0, 0xFF, 0xFFFF][padded] : 0
      guard word & unused == 0 else { return nil }
    }
  }
}
