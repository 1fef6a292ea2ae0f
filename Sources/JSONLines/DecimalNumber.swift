/// An exact decimal number from text: `mantissa / 10^places`.
///
/// Further digits after 18 significant ones are dropped.
package struct DecimalNumber: Equatable, Sendable {
  package private(set) var isNegative = false
  package private(set) var mantissa: UInt64 = 0
  /// Number of digits after the decimal sign; negative if the exponent is large.
  package private(set) var places = 0

  /// Parses all of `text`: optional sign, digits with an optional point or comma, optional exponent. Fails for anything else.
  package init?(_ text: ArraySlice<UInt8>) { self.init(digits: text) }

  /// As for an array slice. Separate initializers, because a generic one is not specialized in other modules.
  package init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) { unsafe self.init(digits: text) }

  private init?(digits text: some Collection<UInt8>) {
    var rest = text[...]
    var count = 0
    var significant = 0
    var afterPoint = false
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      rest.removeFirst()
    }
    while let byte = rest.first {
      if byte == UInt8(ascii: ".") || byte == UInt8(ascii: ",") {
        guard !afterPoint else { return nil }
        afterPoint = true
      } else if (48...57).contains(byte) {
        count += 1
        if significant < 18 {
          mantissa = mantissa * 10 + UInt64(byte - 48)
          significant += mantissa > 0 ? 1 : 0
          places += afterPoint ? 1 : 0
        } else {
          places -= afterPoint ? 0 : 1
        }
      } else {
        break
      }
      rest.removeFirst()
    }
    guard count > 0 else { return nil }
    guard !rest.isEmpty else { return }
    guard let exponent = Self.exponent(rest) else { return nil }
    places -= exponent
  }

  /// Parses `e5` or `E-03`. At most three digits are valid.
  private static func exponent<C: Collection<UInt8>>(_ text: C) -> Int? where C.SubSequence == C {
    var rest = text
    guard let letter = rest.popFirst(), letter | 0x20 == UInt8(ascii: "e") else { return nil }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    guard (1...3).contains(rest.count) else { return nil }
    var value = 0
    for byte in rest {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    return isNegative ? -value : value
  }

  /// The number times `perUnit`, rounded to the nearest integer (half rounds up). Returns nil above `limit` and for negative
  /// numbers; minus zero is zero.
  package func ticks(perUnit: Int64, limit: Int64) -> Int64? {
    guard mantissa > 0 else { return 0 }
    guard !isNegative, places > -19 else { return nil }
    // With more than 36 places the value is below 10^18 / 10^37, far below half a tick.
    guard places <= 36 else { return 0 }
    var product = mantissa.multipliedFullWidth(by: UInt64(perUnit))
    for _ in 0..<max(0, -places) {
      guard product.high == 0 else { return nil }
      product = product.low.multipliedFullWidth(by: 10)
    }
    // 10^19 is the largest power of ten in 64 bits, so the division has two steps.
    let divisor = Self.powerOfTen(min(max(places, 0), 18))
    guard product.high < divisor else { return nil }
    let (quotient, cut) = divisor.dividingFullWidth(product)
    let rounded =
      places <= 18
      ? quotient + (divisor > 1 && cut >= divisor / 2 ? 1 : 0)
      : (quotient + Self.powerOfTen(places - 18) / 2) / Self.powerOfTen(places - 18)
    return rounded <= UInt64(limit) ? Int64(rounded) : nil
  }

  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { product, _ in product * 10 }
  }
}
