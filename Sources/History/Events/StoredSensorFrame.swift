/// The form in which a sensor frame is stored: uncompressed frames of acceleration take about 40 % of their size.
///
/// The first byte is the form. Form 0 is followed by the payload. Forms 1 and 2 are an uncompressed acceleration frame of 16-bit
/// values. Form 1, which is only read, has the strap time (8 bytes), the number of samples (1 byte), and for each axis a
/// ``ResidualCode``. Form 2 has the number of samples (1 byte), the strap time (``StrapTimeCode``), and for each axis a bit and
/// the shorter of a ``ResidualCode`` (0) and a ``LinearPredictionCode`` (1). The payload is restored bit for bit.
enum StoredSensorFrame {
  private enum Form: UInt8 {
    case verbatim, polynomial, linear
  }

  /// The first byte and the format of a frame that is compressed.
  private static let header = (type: UInt8(2), format: UInt8(1))
  private static let headerLength = 10
  private static let axes = 3

  static func stored(_ payload: [UInt8]) -> [UInt8] {
    guard let values = values(payload) else { return [Form.verbatim.rawValue] + payload }
    var bits = BitWriter(bytes: [Form.linear.rawValue, UInt8(values[0].count)])
    StrapTimeCode.write(payload[1..<9], to: &bits)
    for axis in values { write(axis, to: &bits) }
    return bits.bytes
  }

  private static func write(_ axis: [UInt16], to bits: inout BitWriter) {
    var (polynomial, linear) = (bits, bits)
    polynomial.write(0, count: 1)
    ResidualCode.write(axis, to: &polynomial)
    linear.write(1, count: 1)
    LinearPredictionCode.write(axis, to: &linear)
    bits = linear.bitCount < polynomial.bitCount ? linear : polynomial
  }

  /// Restores a payload. Returns `nil` if no version can have stored these bytes.
  static func payload(_ stored: [UInt8]) -> [UInt8]? {
    switch stored.first.flatMap(Form.init) {
    case .verbatim: Array(stored.dropFirst())
    case .polynomial: polynomialPayload(stored)
    case .linear: linearPayload(stored)
    case nil: nil
    }
  }

  private static func polynomialPayload(_ stored: [UInt8]) -> [UInt8]? {
    guard stored.count >= headerLength, stored[9] > 0 else { return nil }
    var bits = BitReader(bytes: stored, position: 8 * headerLength)
    return payload(time: stored[1..<9], count: Int(stored[9])) {
      ResidualCode.read(Int(stored[9]), from: &bits)
    }
  }

  private static func linearPayload(_ stored: [UInt8]) -> [UInt8]? {
    guard stored.count > 1, stored[1] > 0 else { return nil }
    let count = Int(stored[1])
    var bits = BitReader(bytes: stored, position: 16)
    guard let time = StrapTimeCode.read(from: &bits) else { return nil }
    return payload(time: time[...], count: count) {
      bits.read(1).flatMap {
        $0 == 0 ? ResidualCode.read(count, from: &bits) : LinearPredictionCode.read(count, from: &bits)
      }
    }
  }

  /// The payload with the values of each axis that `axis` returns in turn. Fails as soon as `axis` returns `nil`.
  private static func payload(time: ArraySlice<UInt8>, count: Int, _ axis: () -> [UInt16]?) -> [UInt8]? {
    var payload = [header.type] + time + [header.format]
    payload += [UInt8](repeating: 0, count: 2 * axes * count)
    for number in 0..<axes {
      guard let values = axis() else { return nil }
      for (index, value) in values.enumerated() {
        let offset = headerLength + 2 * (axes * index + number)
        payload[offset] = UInt8(truncatingIfNeeded: value)
        payload[offset + 1] = UInt8(value >> 8)
      }
    }
    return payload
  }

  /// The values of each axis, if the frame is compressed.
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

  /// Reads the 8 bytes of a time, if there are as many.
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
