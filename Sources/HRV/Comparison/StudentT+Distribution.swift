import RealModule

extension StudentT {
  /// Returns the two-sided p value: the probability that |T| is at least |t|. `degreesOfFreedom` need not be whole.
  ///
  /// Computed from the regularised incomplete beta function (Abramowitz & Stegun 1964, 26.7.1); relative error below
  /// 1e-10.
  package static func pValue(_ t: Double, degreesOfFreedom: Double) -> Double {
    guard t.isFinite else { return t.isNaN ? .nan : 0 }
    return IncompleteBeta.regularised(
      degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5)
  }

  /// Returns the two-sided quantile: the value that |T| exceeds with the probability `p`, 0 < p < 1.
  ///
  /// Found by bisection of ``pValue(_:degreesOfFreedom:)``; error below 1e-9 of the value.
  package static func quantile(_ p: Double, degreesOfFreedom: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while pValue(high, degreesOfFreedom: degreesOfFreedom) > p { high *= 2 }
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if pValue(middle, degreesOfFreedom: degreesOfFreedom) > p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

/// The regularised incomplete beta function I_x(a, b).
private enum IncompleteBeta {
  static func regularised(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    // The continued fraction converges fast below the mean of the distribution.
    return x < (a + 1) / (a + b + 2) ? lower(x, a, b) : 1 - lower(1 - x, b, a)
  }

  private static func lower(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let logarithm = Double.logGamma(a + b) - .logGamma(a) - .logGamma(b) + a * .log(x) + b * .log(onePlus: -x)
    return Double.exp(logarithm) * fraction(x, a, b) / a
  }

  /// The continued fraction of Abramowitz & Stegun 26.5.8, by the method of Lentz (1976).
  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    var c = 1.0
    var d = 1 / nonzero(1 - (a + b) * x / (a + 1), tiny)
    var value = d
    for step in 1...300 {
      let m = Double(step)
      for term in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 / nonzero(1 + term * d, tiny)
        c = nonzero(1 + term / c, tiny)
        value *= c * d
      }
      if abs(c * d - 1) < 1e-15 { break }
    }
    return value
  }

  private static func nonzero(_ value: Double, _ tiny: Double) -> Double { abs(value) < tiny ? tiny : value }
}
