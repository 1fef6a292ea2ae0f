/// The Rice code of a 16-bit residual: the quotient by 2^parameter in unary, then the remainder in binary
/// (Rice 1979, "Some practical universal noiseless coding techniques").
///
/// Small positive and negative residuals are mapped to small numbers. A quotient from ``escape`` on is replaced by the
/// residual as 16 bits.
enum RiceCode {
  static let parameters = 0...15
  private static let escape = 20

  /// The length of the code in bits.
  static func length(_ residual: UInt16, _ parameter: Int) -> Int {
    let quotient = Int(folded(residual) >> UInt32(parameter))
    return quotient < escape ? quotient + 1 + parameter : escape + 16
  }

  /// The length of the codes of `residuals` in bits.
  static func length(_ residuals: ArraySlice<UInt16>, _ parameter: Int) -> Int {
    var sum = 0
    for residual in residuals { sum += length(residual, parameter) }
    return sum
  }

  /// The parameters that can give the shortest code: those next to the logarithm of the mean residual.
  static func candidates(_ residuals: ArraySlice<UInt16>) -> ClosedRange<Int> {
    var sum: UInt32 = 0
    for residual in residuals { sum += folded(residual) }
    let mean = sum / UInt32(max(residuals.count, 1))
    let logarithm = mean == 0 ? 0 : UInt32.bitWidth - 1 - mean.leadingZeroBitCount
    return max(0, logarithm - 1)...min(15, logarithm + 1)
  }

  static func write(_ residual: UInt16, _ parameter: Int, to bits: inout BitWriter) {
    let value = folded(residual)
    let quotient = Int(value >> UInt32(parameter))
    guard quotient < escape else {
      bits.write((1 << UInt32(escape)) - 1, count: escape)
      return bits.write(UInt32(residual), count: 16)
    }
    bits.write((1 << UInt32(quotient)) - 1, count: quotient + 1)
    bits.write(value & ((1 << UInt32(parameter)) - 1), count: parameter)
  }

  /// Reads a residual, if there are enough bits.
  static func read(_ parameter: Int, from bits: inout BitReader) -> UInt16? {
    var quotient: UInt32 = 0
    while quotient < UInt32(escape) {
      guard let bit = bits.read(1) else { return nil }
      if bit == 0 { break }
      quotient += 1
    }
    if quotient == UInt32(escape) { return bits.read(16).map(UInt16.init) }
    guard let rest = bits.read(parameter) else { return nil }
    let value = quotient << UInt32(parameter) | rest
    return UInt16(truncatingIfNeeded: Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1))
  }

  /// Maps small positive and negative numbers to small numbers.
  private static func folded(_ residual: UInt16) -> UInt32 {
    let signed = Int32(Int16(bitPattern: residual))
    return UInt32(bitPattern: signed << 1 ^ signed >> 31)
  }
}
