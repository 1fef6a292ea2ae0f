/// A lossless code for a series of 16-bit values: the residuals of a polynomial predictor in a ``RiceCode`` (Robinson 1994,
/// "SHORTEN: Simple lossless and near-lossless waveform compression").
///
///     order  parameter  mean, or first values    residuals
///     2 bit  4 bit      1 or order x 16 bit      Rice code each
///
/// Order 0 predicts the mean, order 1 the previous value, order 2 the line through the previous two. All arithmetic wraps at
/// 16 bits, so every series is restored exactly.
enum ResidualCode {
  private static let orders = 0...2

  static func write(_ values: [UInt16], to bits: inout BitWriter) {
    let mean = mean(values)
    var best = (order: 0, parameter: 0, size: Int.max)
    for order in orders {
      let residuals = residuals(values, order, mean)
      for parameter in RiceCode.candidates(residuals[...]) {
        let size = 16 * max(order, 1) + RiceCode.length(residuals[...], parameter)
        if size < best.size { best = (order, parameter, size) }
      }
    }
    bits.write(UInt32(best.order), count: 2)
    bits.write(UInt32(best.parameter), count: 4)
    if best.order == 0 { bits.write(UInt32(mean), count: 16) }
    for value in values.prefix(best.order) { bits.write(UInt32(value), count: 16) }
    for residual in residuals(values, best.order, mean) {
      RiceCode.write(residual, best.parameter, to: &bits)
    }
  }

  /// Reads a series of `count` values, if there are enough bits.
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
      guard let residual = RiceCode.read(parameter, from: &bits) else { return nil }
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
}
