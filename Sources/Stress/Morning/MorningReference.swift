import HRV

/// Mean and standard deviation of the ln RMSSD of recent mornings.
///
/// A morning that differs from the median by more than four times the robust standard deviation (1.4826 times the median
/// absolute deviation, Leys et al. 2013) is excluded: one spoiled reading must not widen the normal range. The
/// standard deviation is limited to ``deviations``.
package struct MorningReference: Equatable, Sendable {
  package let mean: Double
  /// Standard deviation over n - 1.
  package let deviation: Double
  /// Number of mornings without the excluded ones.
  package let count: Int

  /// Limits of the standard deviation of ln RMSSD. Readings of a minute differ by more than 0.03 from chance alone.
  package static let deviations = 0.03...0.6
  private static let exclusion = 4.0
  /// Least robust standard deviation for the exclusion: it is 0 if more than half of the mornings are equal.
  private static let leastSpread = 0.1

  /// Nil with fewer than two values without outliers.
  init?(_ values: [Double]) { self.init(kept: Self.withoutOutliers(values)) }

  /// The statistics of values that contain no outliers, or whose outliers are excluded. Requires two values.
  init?(kept: [Double]) {
    guard kept.count > 1 else { return nil }
    let mean = kept.reduce(0, +) / Double(kept.count)
    let squares = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = (squares / Double(kept.count - 1)).squareRoot()
    self.mean = mean
    self.deviation = min(max(deviation, Self.deviations.lowerBound), Self.deviations.upperBound)
    count = kept.count
  }

  /// The interval of ln RMSSD that contains the next undisturbed morning in 9 of 10 cases, if there are enough mornings.
  var prediction: ClosedRange<Double>? {
    ReadingSpread.morning.interval(
      mean: mean, variance: deviation * deviation, days: Array(repeating: ReadingSpread.Day(), count: count))
  }

  /// The limits beyond which a value is an outlier. No values have no limits.
  static func limits(of values: [Double]) -> ClosedRange<Double>? {
    guard let middle = values.median, let distance = values.map({ abs($0 - middle) }).median else {
      return nil
    }
    let limit = exclusion * max(1.4826 * distance, leastSpread)
    return middle - limit...middle + limit
  }

  private static func withoutOutliers(_ values: [Double]) -> [Double] {
    guard let limits = limits(of: values) else { return values }
    return values.filter { limits.contains($0) }
  }
}

/// The statistics of the mornings of seven days.
package struct MorningWeek: Equatable, Sendable {
  /// The change of the mean of seven days, compared with the smallest worthwhile change.
  package enum Trend: String, Sendable, CaseIterable {
    case lower
    case steady
    case higher
  }

  /// Mean of ln RMSSD.
  package let mean: Double
  /// Coefficient of variation of ln RMSSD in percent: 100 times the standard deviation (over n - 1) over the mean (Plews et
  /// al. 2012). Nil if the mean is not positive.
  package let variation: Double?
  /// Number of mornings.
  package let count: Int
  /// The smallest worthwhile change of the mean, in units of ln RMSSD: 0.5 standard deviations of the recent mornings
  /// before the seven days (Plews et al. 2013, Buchheit 2014). Nil with too few of them.
  package let worthwhileChange: Double?
  /// Nil with too few mornings before the seven days.
  package let trend: Trend?

  /// - Parameter before: The recent mornings before the seven days.
  init(_ values: [Double], before: MorningReference?) {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : 0
    (self.mean, count) = (mean, values.count)
    variation = mean > 0 ? 100 * deviation / mean : nil
    let change = before.map { MorningSeries.worthwhileDeviations * $0.deviation }
    worthwhileChange = change
    trend = before.flatMap { before in change.map { Self.trend(mean - before.mean, $0) } }
  }

  private static func trend(_ difference: Double, _ worthwhile: Double) -> Trend {
    abs(difference) <= worthwhile ? .steady : difference < 0 ? .lower : .higher
  }
}
