/// The code of a strap time: 3 bits with the number of bytes less one, then the nanoseconds since 2019-01-01, where the clock of
/// an H10 begins when it is switched on. Earlier times take 8 bytes.
enum StrapTimeCode {
  /// 2019-01-01 in nanoseconds since 2000-01-01.
  private static let origin: UInt64 = 599_616_000_000_000_000
  private static let length = 8

  /// Appends the time `bytes`: 8 bytes, nanoseconds since 2000-01-01, little-endian.
  static func write(_ bytes: ArraySlice<UInt8>, to bits: inout BitWriter) {
    var time: UInt64 = 0
    for byte in bytes.reversed() { time = time << 8 | UInt64(byte) }
    time &-= origin
    let count = max(1, (UInt64.bitWidth - time.leadingZeroBitCount + 7) / 8)
    bits.write(UInt32(count - 1), count: 3)
    for index in 0..<count { bits.write(UInt32(truncatingIfNeeded: time >> UInt64(8 * index)), count: 8) }
  }

  /// Reads the 8 bytes of a time; nil if the bits end before.
  static func read(from bits: inout BitReader) -> [UInt8]? {
    guard let count = bits.read(3) else { return nil }
    var time: UInt64 = 0
    for index in 0...UInt64(count) {
      guard let byte = bits.read(8) else { return nil }
      time |= UInt64(byte) << (8 * index)
    }
    time &+= origin
    return (0..<length).map { UInt8(truncatingIfNeeded: time >> UInt64(8 * $0)) }
  }
}
