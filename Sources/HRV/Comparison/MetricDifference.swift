/// The difference of a metric between two periods, with a 95 % interval derived from the variation between
/// windows.
///
/// Each period is divided into adjacent windows. The pooled variance s^2 within the periods estimates the variation of one
/// window. For a period of k windows the variance is s^2 (1 / k + r / (1 - r)), where r is the fraction of the variance that
/// persists longer than a window (``lastingFraction``). The interval uses Student's t with the pooled degrees of freedom. It
/// is a guide only and is not used to report a change.
package struct MetricDifference: Equatable, Sendable {
  /// The reason why the interval is missing.
  package enum Reason: Error, Equatable, Sendable, CustomStringConvertible {
    case tooFewWindows(found: Int, needed: Int)

    package var description: String {
      switch self {
      case .tooFewWindows(let found, let needed): "\(found) windows with a value, \(needed) needed"
      }
    }
  }

  /// Minimum number of windows with a value in both periods together; each period needs at least one.
  package static let fewestWindows = 6

  /// Fraction of the variance of a minute that persists at any length. Two windows of 300 s of one rest then
  /// differ by 0.72 times as much as two of 60 s; the factor measured for ln RMSSD is 0.5 to 0.85.
  package static let lastingFraction = 0.4

  /// Variance of a window relative to that of a minute, by the number of seconds that it covers (design effect
  /// for correlated minutes, Kish 1965).
  package static func relativeVariance(seconds: Double) -> Double {
    lastingFraction + (1 - lastingFraction) * 60 / seconds
  }

  /// B minus A.
  package let difference: Double
  /// Half of the width of the 95 % interval, or the reason why it is missing.
  package let halfWidth: Result<Double, Reason>

  /// Compares two periods.
  /// - Parameters:
  ///   - a: value of the whole period A, and values of its windows (those with a value).
  ///   - b: the same for B.
  package init(from a: (value: Double, windows: [Double]), to b: (value: Double, windows: [Double])) {
    difference = b.value - a.value
    let counts = (a.windows.count, b.windows.count)
    let found = counts.0 + counts.1
    guard counts.0 > 0, counts.1 > 0, found >= Self.fewestWindows else {
      halfWidth = .failure(.tooFewWindows(found: found, needed: Self.fewestWindows))
      return
    }
    let freedom = Double(found - 2)
    let variance = (Self.squares(a.windows) + Self.squares(b.windows)) / freedom
    let lasting = Self.lastingFraction / (1 - Self.lastingFraction)
    let sum = 1 / Double(counts.0) + 1 / Double(counts.1) + 2 * lasting
    halfWidth = .success(StudentT.quantile95(degreesOfFreedom: freedom) * (variance * sum).squareRoot())
  }

  /// Sum of squared deviations from the mean.
  private static func squares(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}

/// Quantiles of Student's t distribution.
package enum StudentT {
  /// Returns the two-sided 95 % quantile: the value that |t| exceeds with a probability of 5 %. The limit for
  /// many degrees of freedom is 1.96.
  ///
  /// Cornish-Fisher expansion around the normal quantile (Abramowitz & Stegun 1964, 26.7.5). The error is
  /// below 0.001 from four degrees of freedom, and below 1e-4 from eight.
  package static func quantile95(degreesOfFreedom: Double) -> Double {
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
