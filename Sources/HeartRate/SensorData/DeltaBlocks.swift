/// The blocks of a delta-compressed frame: after a reference sample of three 16-bit values, each block states the bits of
/// a difference and the number of samples, followed by the packed differences (least significant bit first).
///
///     reference x, y, z      bits  samples  differences x, y, z, x, y, z, ...
///     +----+----+----+----+ +----+ +----+ +----
///     | 3 x 16 LE         | | 8  | | 8  | | packed, padded to a byte
///     +----+----+----+----+ +----+ +----+ +----
struct DeltaBlocks {
  struct Block {
    var bits: Int
    var count: Int
    /// Offset of the first difference in bytes.
    var start: Int
  }

  static let referenceLength = 6

  private let payload: [UInt8]
  private var offset = SensorFrame.headerLength + Self.referenceLength

  /// - Throws: if the reference sample is truncated.
  init(_ payload: [UInt8]) throws(SensorFrame.DecodingError) {
    guard payload.count >= offset else {
      throw .truncatedSamples(offset: SensorFrame.headerLength, length: payload.count)
    }
    self.payload = payload
  }

  /// Returns the next block, if there is one.
  /// - Throws: if the block is truncated, or if its differences have more than 32 bits.
  mutating func next() throws(SensorFrame.DecodingError) -> Block? {
    guard offset < payload.count else { return nil }
    let error = SensorFrame.DecodingError.truncatedSamples(offset: offset, length: payload.count)
    guard offset + 1 < payload.count else { throw error }
    let block = Block(bits: Int(payload[offset]), count: Int(payload[offset + 1]), start: offset + 2)
    let length = (3 * block.bits * block.count + 7) / 8
    guard block.bits <= 32, block.start + length <= payload.count else { throw error }
    offset = block.start + length
    return block
  }
}

extension [UInt8] {
  /// The signed value of `bits` bits from the bit `position` on, least significant bit first.
  func signedBits(at position: Int, count bits: Int) -> Int32 {
    guard bits > 0 else { return 0 }
    var value: UInt64 = 0
    let (first, last) = (position / 8, (position + bits - 1) / 8)
    for index in first...last { value |= UInt64(self[index]) << UInt64(8 * (index - first)) }
    let shift = UInt64(64 - bits)
    return Int32(
      truncatingIfNeeded: Int64(bitPattern: (value >> UInt64(position % 8)) << shift) >> Int64(shift))
  }

  /// The signed little-endian value of `length` bytes at `offset`.
  func signed(at offset: Int, length: Int) -> Int32 { signedBits(at: 8 * offset, count: 8 * length) }
}
