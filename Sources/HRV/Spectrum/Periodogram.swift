import RealModule

/// The generalised Lomb-Scargle periodogram: the least-squares fit of a sine at each frequency.
///
/// Weighted least squares of a sine and a constant at unequally spaced times (Lomb 1976; Scargle 1982;
/// floating mean and weights: Zechmeister & Kurster 2009). It needs no resampling.
struct Periodogram: Sendable {
  let frequencies: FrequencyGrid
  private let sums: NonuniformTransform
  /// The transform at twice the frequencies, unless `sums` includes these.
  private let doubled: NonuniformTransform?

  /// Creates a periodogram. Grids that begin with zero need half of the work.
  init(_ frequencies: FrequencyGrid) {
    self.frequencies = frequencies
    let (first, perHertz, count) = (frequencies.first, frequencies.perHertz, frequencies.count)
    if first == 0 {
      sums = NonuniformTransform(FrequencyGrid(first: 0, perHertz: perHertz, count: 2 * count))
      doubled = nil
    } else {
      sums = NonuniformTransform(frequencies)
      doubled = NonuniformTransform(FrequencyGrid(first: 2 * first, perHertz: perHertz / 2, count: count))
    }
  }

  /// Returns the power of the sine at each frequency, in the squared unit of the values: the part of their
  /// weighted variance that it explains. Zero at frequency zero.
  /// - Parameters:
  ///   - times: times in seconds.
  ///   - weights: non-negative weights whose sum is 1.
  func callAsFunction(times: [Double], values: [Double], weights: [Double]) -> [Double] {
    let mean = zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 }
    let points = zip(values, weights).map { SIMD2(($0 - mean) * $1, $1) }
    let single = sums(times, points)
    let double = doubled?(times, zip(points, points).map { SIMD2($0.y, $1.y) })
    return (0..<frequencies.count).map { index in
      frequencies[index] == 0
        ? 0 : Self.power(single[index], double?[index] ?? single[2 * index].highHalfTwice)
    }
  }

  /// Equations 5 to 15 of Zechmeister & Kurster (2009), in their notation. At the Nyquist frequency of
  /// equally spaced values, where the sine vanishes, only the cosine is fitted.
  private static func power(_ single: SIMD4<Double>, _ double: SIMD4<Double>) -> Double {
    let (yc, ys, c, s) = (single.x, single.y, single.z, single.w)
    let cc = (1 + double.z) / 2 - c * c
    let ss = (1 - double.z) / 2 - s * s
    let cs = double.w / 2 - c * s
    let determinant = cc * ss - cs * cs
    guard determinant > 1e-9 else { return (yc * yc + ys * ys) / max(cc + ss, 1e-9) }
    return max(0, (ss * yc * yc + cc * ys * ys - 2 * cs * yc * ys) / determinant)
  }
}

extension SIMD4<Double> {
  /// The second of two complex numbers, twice.
  fileprivate var highHalfTwice: SIMD4<Double> { SIMD4(z, w, z, w) }
}
