/// Eight bytes of text, the first one lowest.
struct EightBytes {
  /// Eight bytes from behind seven digits and a point.
  static let lookAhead = 16

  private let values: UInt64
  /// How many of them, from the first on, are digits.
  let digits: Int

  @inline(__always)
  init(_ text: UnsafeRawBufferPointer, at offset: Int) {
    let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    values = word ^ 0x3030_3030_3030_3030
    // The high bit of each byte above 9. A carry can come only out of such a byte, and the first one counts.
    let others = (values &+ 0x7676_7676_7676_7676 | values) & 0x8080_8080_8080_8080
    digits = others.trailingZeroBitCount >> 3
  }

  /// The number that the digits make: pairs, then fours, then all eight are added up at once.
  @inline(__always)
  var number: Int64 {
    let eight = values << UInt64(truncatingIfNeeded: 64 &- 8 &* digits)
    let pairs = (eight &* 10 &+ (eight >> 8)) & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* 100 &+ (pairs >> 16)) & 0x0000_FFFF_0000_FFFF
    return Int64(truncatingIfNeeded: (fours &* 10_000 &+ (fours >> 32)) & 0xFFFF_FFFF)
  }

  /// Up to four digits as decimals: 5 is 5000 ten-thousandths.
  @inline(__always)
  var tenThousandths: Int64 {
    let four = values & ((1 << UInt64(truncatingIfNeeded: 8 &* digits)) &- 1)
    let pairs = (four &* 10 &+ (four >> 8)) & 0x00FF_00FF
    return Int64(truncatingIfNeeded: (pairs &* 100 &+ (pairs >> 16)) & 0xFFFF)
  }
}
