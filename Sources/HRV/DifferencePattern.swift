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
  /// Products of each difference with those one, two, three and four beats before it, within a run of differences.
  @usableFromInline var lag1 = LaggedProducts()
  @usableFromInline var lag2 = LaggedProducts()
  @usableFromInline var lag3 = LaggedProducts()
  @usableFromInline var lag4 = LaggedProducts()

  @inlinable public init() {}

  /// ln(RMSSD / (sqrt(pi / 2) mean |d|)), at least 0: 0 for normally distributed differences, larger if a few differences are
  /// much larger than the others, as after undetected premature beats. Undefined if all differences are zero.
  @inlinable public var tail: Double? {
    @inline(__always) get {
      guard magnitudes > 0, squares > 0 else { return nil }
      let magnitudes = Double(magnitudes)
      let (square, normal) = (NNSums.double(squares) * Double(count), Double.pi / 2 * magnitudes * magnitudes)
      return square > normal ? Self.log(square / normal) / 2 : 0
    }
  }

  /// -r1 + r2 / 4, where r1 and r2 are the correlations of differences one and two beats apart.
  ///
  /// An error in the time of one R peak changes three successive differences by x, -2x and x, so for errors that are
  /// independent between peaks r1 is -2/3, r2 is 1/6 and the result is 0.71. Respiration of three and more beats per breath
  /// has a smaller -r1, or a negative r2; that of fewer beats per breath a larger result, and a low ``randomness``. Requires
  /// two successive differences.
  @inlinable public var noise: Double? {
    @inline(__always) get {
      guard squares > 0, lag1.count > 0 else { return nil }
      // A common denominator avoids two divisions.
      let (ones, twos) = (Double(lag1.count), Double(max(1, lag2.count)))
      let covariance = NNSums.double(lag2.sum) / 4 * ones - NNSums.double(lag1.sum) * twos
      return covariance * Double(count) / (ones * twos * NNSums.double(squares))
    }
  }

  /// 1 for differences without a regular oscillation, 0 for regular ones, and between the two in part.
  ///
  /// It decreases with r2^2 + r3^2 + r4^2, where r2, r3 and r4 are the sums of the products of differences two, three and
  /// four beats apart, divided by the sum of the squares: from 0.2 to 0.35. Regular breathing at any rate reaches at least
  /// 0.39, because its differences resemble those of the breath before. Independent errors of peak times, and the random
  /// intervals of atrial fibrillation, stay below 0.15. 1 if all differences are zero.
  @inlinable public var randomness: Double {
    @inline(__always) get {
      guard squares > 0 else { return 1 }
      let (two, three, four) = (NNSums.double(lag2.sum), NNSums.double(lag3.sum), NNSums.double(lag4.sum))
      let total = NNSums.double(squares)
      let coherence = (two * two + three * three + four * four) / (total * total)
      let margin = Self.regularCoherence - coherence
      // The common case avoids the division.
      return margin >= Self.coherenceRange ? 1 : max(0, margin / Self.coherenceRange)
    }
  }

  /// ``noise`` multiplied by ``randomness``, unless it is negative: regular breathing of fewer than three beats per breath
  /// alternates like an error of R peaks, but repeats itself. Requires two successive differences, like ``noise``.
  public var randomNoise: Double? { randomNoise(randomness: randomness) }

  /// ``randomNoise``, with ``randomness`` for callers that require both.
  @inlinable @inline(__always)
  package func randomNoise(randomness: Double) -> Double? { noise.map { $0 > 0 ? $0 * randomness : $0 } }

  @inlinable static var regularCoherence: Double { 0.35 }
  @inlinable static var coherenceRange: Double { 0.15 }

  @usableFromInline
  static func log(_ x: Double) -> Double { .log(x) }
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
