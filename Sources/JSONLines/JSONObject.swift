/// A parsed JSON object. The whole text is validated (RFC 8259) before any member can be read.
///
/// Strings and numbers are decoded on access. If several members have the same name, the first one is used.
package struct JSONObject: Sendable {
  package enum Kind: Sendable { case string, number, object, array, boolean, null }

  package struct Value: Sendable {
    package var kind: Kind
    /// Position in ``JSONObject/bytes``; for a string, without the quotation marks.
    package var range: Range<Int>
  }

  package let bytes: [UInt8]
  private var members: [(key: Range<Int>, value: Value)] = []

  /// Validates `bytes[range]`, which must contain one object and white space only.
  package init(_ bytes: [UInt8], in range: Range<Int>? = nil) throws(JSONSyntaxError) {
    self.bytes = bytes
    var scanner = JSONScanner(bytes, range ?? bytes.indices)
    var members: [(key: Range<Int>, value: Value)] = []
    members.reserveCapacity(8)
    try scanner.wholeObject { key, value in members.append((key, value)) }
    self.members = members
  }

  /// The member with this name; nil if it is missing or `null`.
  package subscript(key: String) -> Value? {
    var key = key
    return key.withUTF8 { name in
      for member in members where unsafe matches(member.key, name) {
        return member.value.kind == .null ? nil : member.value
      }
      return nil
    }
  }

  /// Decodes a string, if the value is one and its bytes and escapes are valid Unicode.
  package func string(_ value: Value) -> String? {
    guard value.kind == .string else { return nil }
    let text = bytes[value.range]
    guard text.contains(UInt8(ascii: "\\")) else { return String(validating: text, as: UTF8.self) }
    return JSONEscapes.decode(text)
  }

  package func number(_ value: Value) -> DecimalNumber? {
    value.kind == .number ? DecimalNumber(bytes[value.range]) : nil
  }

  package func double(_ value: Value) -> Double? {
    value.kind == .number ? Double(String(decoding: bytes[value.range], as: UTF8.self)) : nil
  }

  package func boolean(_ value: Value) -> Bool? {
    value.kind == .boolean ? bytes[value.range.lowerBound] == UInt8(ascii: "t") : nil
  }

  package func object(_ value: Value) -> JSONObject? {
    value.kind == .object ? try? JSONObject(bytes, in: value.range) : nil
  }

  /// The elements of an array. Other values have none.
  package func elements(_ value: Value) -> [Value]? {
    guard value.kind == .array else { return nil }
    var scanner = JSONScanner(bytes, value.range)
    var found: [Value] = []
    try? scanner.array(depth: 0) { found.append($0) }
    return found
  }

  private func matches(_ key: Range<Int>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = bytes[key]
    if unsafe text.count == name.count && text.elementsEqual(name) { return true }
    return unsafe text.contains(UInt8(ascii: "\\"))
      && JSONEscapes.decode(text) == String(decoding: name, as: UTF8.self)
  }
}

/// A syntax error: what was expected at which byte.
package struct JSONSyntaxError: Error, Equatable, Sendable {
  package var offset: Int
  package var expected: String
}

enum JSONEscapes {
  /// Decodes a string with valid escapes. Rejects invalid UTF-8 and unpaired surrogates.
  static func decode(_ text: ArraySlice<UInt8>) -> String? {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        plain.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "n"): plain.append(10)
      case UInt8(ascii: "r"): plain.append(13)
      case UInt8(ascii: "t"): plain.append(9)
      case UInt8(ascii: "b"): plain.append(8)
      case UInt8(ascii: "f"): plain.append(12)
      case UInt8(ascii: "u"):
        guard let scalar = scalar(&rest) else { return nil }
        plain += UTF8.encode(scalar).map(Array.init) ?? []
      case let other?: plain.append(other)
      case nil: return nil
      }
    }
    return String(validating: plain, as: UTF8.self)
  }

  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let first = codeUnit(&rest) else { return nil }
    guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
    guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
      let second = codeUnit(&rest), (0xDC00...0xDFFF).contains(second)
    else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
    guard rest.count >= 4 else { return nil }
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = rest.popFirst().flatMap(hexDigit) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}

/// The value of a hexadecimal digit in either case.
package func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}

extension JSONObject {
  /// Magnitude up to which a `Double` represents every integer.
  private static let limit = 9_007_199_254_740_992.0

  /// The text of a member; nil if it is missing or no string.
  package func text(_ key: String) -> String? { self[key].flatMap(string) }

  /// The number of a member; nil if it is missing, no number, or above 2^53 in magnitude, so that every conversion to an
  /// integer of 64 bits succeeds.
  package func value(_ key: String) -> Double? { self[key].flatMap(value) }

  /// The integer of a member; nil if it is missing, no integer, or above 2^53 in magnitude.
  package func integer(_ key: String) -> Int? { value(key).flatMap { Int(exactly: $0) } }

  /// The number, as ``value(_:)-(String)``.
  package func value(_ value: Value) -> Double? {
    double(value).flatMap { abs($0) <= Self.limit ? $0 : nil }
  }
}
