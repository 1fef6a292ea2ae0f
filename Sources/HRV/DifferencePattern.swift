import RealModule

/// The shape of the successive differences in a window: how heavy the tail of their distribution is, and how
/// much of their variance looks like noise of the R-peak detection.
///
/// Both are relative to RMSSD. docs/design/confidence.md relates them to the error of a stress value.
public struct DifferencePattern: Equatable, Sendable {
  /// Number of successive differences.
  @usableFromInline var count = 0
  /// Sum of their absolute values in ticks.
  @usableFromInline var magnitudes: Int64 = 0
  /// Sum of their squares in square ticks.
  @usableFromInline var squares: Int128 = 0
  /// Products of each difference with the one before it, and with the one before that.
  @usableFromInline var lag1 = LaggedProducts()
  @usableFromInline var lag2 = LaggedProducts()

  public init() {}

  /// ln(RMSSD / (sqrt(pi / 2) mean |d|)), at least 0: 0 for normally distributed differences, larger if a few
  /// differences are much larger than the others, as after undetected premature beats. Nil if all differences are
  /// zero.
  public var tail: Double? {
    guard magnitudes > 0, squares > 0 else { return nil }
    let magnitudes = Double(magnitudes)
    let (square, normal) = (NNSums.double(squares) * Double(count), Double.pi / 2 * magnitudes * magnitudes)
    return square > normal ? Double.log(square / normal) / 2 : 0
  }

  /// -r1 + r2 / 4, where r1 and r2 are the correlations of differences one and two beats apart.
  ///
  /// An error in the time of one R peak changes three successive differences by x, -2x and x, so for errors
  /// that are independent between peaks r1 is -2/3, r2 is 1/6 and the result is 0.71. Respiration of three
  /// and more beats per breath has a smaller -r1, or a negative r2. Nil without two successive differences.
  public var noise: Double? {
    guard squares > 0, lag1.count > 0 else { return nil }
    // A common denominator avoids two divisions.
    let (ones, twos) = (Double(lag1.count), Double(max(1, lag2.count)))
    let covariance = NNSums.double(lag2.sum) / 4 * ones - NNSums.double(lag1.sum) * twos
    return covariance * Double(count) / (ones * twos * NNSums.double(squares))
  }
}

/// Number and sum of the products of differences a constant number of beats apart.
@usableFromInline
struct LaggedProducts: Equatable, Sendable {
  @usableFromInline var count = 0
  /// In square ticks.
  @usableFromInline var sum: Int128 = 0

  @usableFromInline init() {}

  /// Adds (`sign` 1) or removes (`sign` -1) the product of two differences in ticks.
  @inlinable @inline(__always)
  mutating func count(_ a: Int64, _ b: Int64, _ sign: Int) {
    count &+= sign
    sum &+= NNSums.product(sign < 0 ? 0 &- a : a, b)
  }
}
