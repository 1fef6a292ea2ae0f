/// The form in which a sensor frame is stored: uncompressed frames of acceleration take about a third of their size.
///
/// The first byte is the form. Form 0 is followed by the payload. Form 1 is an uncompressed acceleration frame of 16-bit values:
/// the strap time (8 bytes), the number of samples (1 byte), and for each axis a ``ResidualCode``. The payload is restored
/// bit for bit.
enum StoredSensorFrame {
  private static let verbatim: UInt8 = 0
  private static let compressed: UInt8 = 1
  /// The first byte and the format of a frame that is compressed.
  private static let header = (type: UInt8(2), format: UInt8(1))
  private static let headerLength = 10
  private static let axes = 3

  static func stored(_ payload: [UInt8]) -> [UInt8] {
    guard let values = values(payload) else { return [verbatim] + payload }
    var bits = BitWriter(bytes: [compressed] + payload[1..<9] + [UInt8(values[0].count)])
    for axis in values { ResidualCode.write(axis, to: &bits) }
    return bits.bytes
  }

  /// Restores a payload; nil for bytes that ``stored(_:)`` does not return.
  static func payload(_ stored: [UInt8]) -> [UInt8]? {
    guard let form = stored.first else { return nil }
    if form == verbatim { return Array(stored.dropFirst()) }
    guard form == compressed, stored.count > headerLength - 1, stored[9] > 0 else { return nil }
    let count = Int(stored[9])
    var bits = BitReader(bytes: stored, position: 8 * headerLength)
    var payload = [header.type] + stored[1..<9] + [header.format]
    payload += [UInt8](repeating: 0, count: 2 * axes * count)
    for axis in 0..<axes {
      guard let values = ResidualCode.read(count, from: &bits) else { return nil }
      for (index, value) in values.enumerated() {
        let offset = headerLength + 2 * (axes * index + axis)
        payload[offset] = UInt8(truncatingIfNeeded: value)
        payload[offset + 1] = UInt8(value >> 8)
      }
    }
    return payload
  }

  /// The values of each axis; nil for a frame that is not compressed.
  private static func values(_ payload: [UInt8]) -> [[UInt16]]? {
    let rest = payload.count - headerLength
    guard rest > 0, rest.isMultiple(of: 2 * axes), rest / (2 * axes) <= 255, payload[0] == header.type,
      payload[9] == header.format
    else { return nil }
    return (0..<axes).map { axis in
      stride(from: headerLength + 2 * axis, to: payload.count, by: 2 * axes).map {
        UInt16(payload[$0]) | UInt16(payload[$0 + 1]) << 8
      }
    }
  }
}
