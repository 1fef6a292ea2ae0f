/// A lossless code for a series of 16-bit values: the residuals of a linear predictor that is fitted to the series, in a
/// ``RiceCode`` (Robinson 1994, section 3.2).
///
///     order  parameter  centre     coefficients    residuals
///     3 bit  4 bit      8 bit      order x 6 bit   Rice code each
///
/// The centre is in units of 16. The first `order` residuals are differences from the previous value, or from the centre, and
/// their code has the parameter plus 3. The decoder uses integers only, and all arithmetic wraps at 16 bits, so every series
/// is restored exactly.
struct LinearPredictionCode {
  private static let maximumOrder = 6
  /// Additional bits of the parameter of the first residuals.
  private static let startBits = 3

  private let order: Int
  private let centre: Int
  private let coefficients: [Int]

  /// Appends the shortest code of `values`.
  static func write(_ values: [UInt16], to bits: inout BitWriter) {
    let centre = centre(of: values)
    let fit = LinearFit(values.map { signed($0, centre) })
    var best: (code: Self, parameter: Int, size: Int)?
    for order in 0...min(maximumOrder, values.count) {
      let code = Self(order: order, centre: centre, coefficients: fit.coefficients(order: order))
      let residuals = code.residuals(values)
      for parameter in RiceCode.candidates(residuals[order...]) {
        let size =
          LinearFit.coefficientBits * order + RiceCode.length(residuals[order...], parameter)
          + RiceCode.length(residuals[..<order], startParameter(parameter))
        if size < best?.size ?? .max { best = (code, parameter, size) }
      }
    }
    best?.code.write(values, best?.parameter ?? 0, to: &bits)
  }

  /// Reads a series of `count` values, unless the bits end too early.
  static func read(_ count: Int, from bits: inout BitReader) -> [UInt16]? {
    guard let order = bits.read(3).map(Int.init), let parameter = bits.read(4).map(Int.init),
      let centre = bits.readSigned(8)
    else { return nil }
    var coefficients: [Int] = []
    for _ in 0..<order {
      guard let coefficient = bits.readSigned(LinearFit.coefficientBits) else { return nil }
      coefficients.append(coefficient)
    }
    let code = Self(order: order, centre: 16 * centre, coefficients: coefficients)
    var values: [UInt16] = []
    while values.count < count {
      let isStart = values.count < order
      guard let residual = RiceCode.read(isStart ? startParameter(parameter) : parameter, from: &bits) else {
        return nil
      }
      values.append(code.prediction(values, values.count) &+ residual)
    }
    return values
  }

  private func write(_ values: [UInt16], _ parameter: Int, to bits: inout BitWriter) {
    bits.write(UInt32(order), count: 3)
    bits.write(UInt32(parameter), count: 4)
    bits.write(signed: centre / 16, count: 8)
    for coefficient in coefficients { bits.write(signed: coefficient, count: LinearFit.coefficientBits) }
    for (index, residual) in residuals(values).enumerated() {
      RiceCode.write(residual, index < order ? Self.startParameter(parameter) : parameter, to: &bits)
    }
  }

  private static func startParameter(_ parameter: Int) -> Int {
    min(parameter + startBits, RiceCode.parameters.upperBound)
  }

  /// The mean, rounded to a multiple of 16 and limited to 8 bits in units of 16.
  private static func centre(of values: [UInt16]) -> Int {
    let sum = values.reduce(0) { $0 + Int(Int16(bitPattern: $1)) }
    return 16 * min(max(sum / (16 * max(values.count, 1)), -128), 127)
  }

  private static func signed(_ value: UInt16, _ centre: Int) -> Int { Int(Int16(bitPattern: value)) - centre }

  private func residuals(_ values: [UInt16]) -> [UInt16] {
    values.indices.map { values[$0] &- prediction(values, $0) }
  }

  /// The prediction of the value with the number `index` from those before it.
  private func prediction(_ values: [UInt16], _ index: Int) -> UInt16 {
    guard index >= order else { return index == 0 ? UInt16(truncatingIfNeeded: centre) : values[index - 1] }
    var sum = 1 << (LinearFit.fractionBits - 1)
    for (lag, coefficient) in coefficients.enumerated() {
      sum += coefficient * Self.signed(values[index - 1 - lag], centre)
    }
    return UInt16(truncatingIfNeeded: centre + (sum >> LinearFit.fractionBits))
  }
}
