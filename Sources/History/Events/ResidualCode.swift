/// A lossless code for a series of 16-bit values: the residuals of a polynomial predictor in a Rice code (Robinson 1994,
/// "SHORTEN: Simple lossless and near-lossless waveform compression").
///
///     order  parameter  mean, or first values    residuals
///     2 bit  4 bit      1 or order x 16 bit      Rice code each
///
/// Order 0 predicts the mean, order 1 the previous value, order 2 the line through the previous two. All arithmetic wraps at
/// 16 bits, so every series is restored exactly.
enum ResidualCode {
  private static let orders = 0...2
  private static let parameters = 0...15
  /// Quotients from this value on are followed by the residual as 16 bits.
  private static let escape = 20

  static func write(_ values: [UInt16], to bits: inout BitWriter) {
    let mean = mean(values)
    var best = (order: 0, parameter: 0, size: Int.max)
    for order in orders {
      let residuals = residuals(values, order, mean)
      for parameter in parameters {
        let size = residuals.reduce(16 * order) { $0 + length($1, parameter) }
        if size < best.size { best = (order, parameter, size) }
      }
    }
    bits.write(UInt32(best.order), count: 2)
    bits.write(UInt32(best.parameter), count: 4)
    if best.order == 0 { bits.write(UInt32(mean), count: 16) }
    for value in values.prefix(best.order) { bits.write(UInt32(value), count: 16) }
    for residual in residuals(values, best.order, mean) { write(residual, best.parameter, &bits) }
  }

  /// Reads a series of `count` values; nil if the bits end before.
  static func read(_ count: Int, from bits: inout BitReader) -> [UInt16]? {
    guard let order = bits.read(2).map(Int.init), orders.contains(order),
      let parameter = bits.read(4).map(Int.init)
    else { return nil }
    var mean: UInt16 = 0
    var values: [UInt16] = []
    if order == 0 {
      guard let value = bits.read(16) else { return nil }
      mean = UInt16(value)
    }
    for _ in 0..<min(order, count) {
      guard let value = bits.read(16) else { return nil }
      values.append(UInt16(value))
    }
    while values.count < count {
      guard let residual = read(parameter, &bits) else { return nil }
      values.append(prediction(values, values.count, order, mean) &+ residual)
    }
    return values
  }

  /// The mean of the values as signed numbers.
  private static func mean(_ values: [UInt16]) -> UInt16 {
    let sum = values.reduce(0) { $0 + Int(Int16(bitPattern: $1)) }
    return UInt16(bitPattern: Int16(clamping: sum / max(values.count, 1)))
  }

  private static func residuals(_ values: [UInt16], _ order: Int, _ mean: UInt16) -> [UInt16] {
    values.indices.dropFirst(order).map { values[$0] &- prediction(values, $0, order, mean) }
  }

  private static func prediction(_ values: [UInt16], _ index: Int, _ order: Int, _ mean: UInt16) -> UInt16 {
    switch order {
    case 0: mean
    case 1: values[index - 1]
    default: values[index - 1] &+ values[index - 1] &- values[index - 2]
    }
  }

  /// Maps small positive and negative numbers to small numbers.
  private static func folded(_ residual: UInt16) -> UInt32 {
    let signed = Int32(Int16(bitPattern: residual))
    return UInt32(bitPattern: signed << 1 ^ signed >> 31)
  }

  private static func length(_ residual: UInt16, _ parameter: Int) -> Int {
    let quotient = Int(folded(residual) >> UInt32(parameter))
    return quotient < escape ? quotient + 1 + parameter : escape + 16
  }

  private static func write(_ residual: UInt16, _ parameter: Int, _ bits: inout BitWriter) {
    let value = folded(residual)
    let quotient = Int(value >> UInt32(parameter))
    guard quotient < escape else {
      bits.write((1 << UInt32(escape)) - 1, count: escape)
      return bits.write(UInt32(residual), count: 16)
    }
    bits.write((1 << UInt32(quotient)) - 1, count: quotient + 1)
    bits.write(value & ((1 << UInt32(parameter)) - 1), count: parameter)
  }

  private static func read(_ parameter: Int, _ bits: inout BitReader) -> UInt16? {
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
}

/// Appends bits to bytes, least significant bit first.
struct BitWriter {
  private(set) var bytes: [UInt8]
  /// Free bits of the last byte.
  private var free = 0

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
}

/// Reads bits of bytes, least significant bit first.
struct BitReader {
  let bytes: [UInt8]
  /// In bits.
  var position: Int

  /// The next `count` bits, at most 32; nil if there are fewer.
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
}
