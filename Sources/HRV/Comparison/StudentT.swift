/// Quantiles of Student's t distribution.
public enum StudentT {
  /// Returns the two-sided 95 % quantile: the value that |t| exceeds with a probability of 5 %. The limit for
  /// many degrees of freedom is 1.96.
  ///
  /// Cornish-Fisher expansion around the normal quantile (Abramowitz & Stegun 1964, 26.7.5). The error is
  /// below 0.001 from four degrees of freedom, and below 1e-4 from eight.
  public static func quantile95(degreesOfFreedom: Double) -> Double {
    let z = 1.959963984540054
    let (z2, v) = (z * z, degreesOfFreedom)
    let terms = [
      z * (z2 + 1) / 4,
      z * ((5 * z2 + 16) * z2 + 3) / 96,
      z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
      z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92_160,
    ]
    return z + terms.reversed().reduce(0) { ($0 + $1) / v }
  }
}
