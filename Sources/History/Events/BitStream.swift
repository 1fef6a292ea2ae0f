/// Appends bits to bytes, least significant bit first.
struct BitWriter {
  private(set) var bytes: [UInt8]
  /// Free bits of the last byte.
  private var free = 0

  var bitCount: Int { 8 * bytes.count - free }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Appends the lower `count` bits of `value`, at most 32.
  mutating func write(_ value: UInt32, count: Int) {
    for index in 0..<count {
      if free == 0 {
        bytes.append(0)
        free = 8
      }
      if value >> UInt32(index) & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(8 - free) }
      free -= 1
    }
  }

  /// Appends the lower `count` bits of a signed number.
  mutating func write(signed value: Int, count: Int) {
    write(UInt32(truncatingIfNeeded: value), count: count)
  }
}

/// Reads bits of bytes, least significant bit first.
struct BitReader {
  let bytes: [UInt8]
  /// In bits.
  var position: Int

  /// Reads the next `count` bits, at most 32, if there are as many.
  mutating func read(_ count: Int) -> UInt32? {
    guard position + count <= 8 * bytes.count else { return nil }
    var value: UInt32 = 0
    for index in 0..<count {
      let bit = bytes[(position + index) / 8] >> UInt8((position + index) % 8) & 1
      value |= UInt32(bit) << UInt32(index)
    }
    position += count
    return value
  }

  /// Reads the next `count` bits, at most 32, as a signed number.
  mutating func readSigned(_ count: Int) -> Int? {
    read(count).map { Int(Int32(bitPattern: $0 << UInt32(32 - count)) >> Int32(32 - count)) }
  }
}
