extension [UInt8] {
  /// Creates the bytes of a hexadecimal literal; spaces are ignored. Traps on other characters.
  package init(hex: String) {
    let digits = hex.filter { $0 != " " }.map { digit in
      guard let value = digit.hexDigitValue else { preconditionFailure("not a hex digit: \(digit)") }
      return UInt8(value)
    }
    precondition(digits.count.isMultiple(of: 2), "half a byte in \(hex)")
    self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
