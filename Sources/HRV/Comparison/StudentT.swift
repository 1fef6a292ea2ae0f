/// Student's t distribution, as far as intervals need it.
public enum StudentT {
  /// The two-sided 95 % quantile: what |t| exceeds five times in a hundred. 1.96 for many degrees of freedom.
  ///
  /// Cornish-Fisher expansion around the normal quantile (Abramowitz & Stegun 1964, 26.7.5): off by less than 0.001
  /// from four degrees of freedom on, and by 1e-4 from eight.
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
