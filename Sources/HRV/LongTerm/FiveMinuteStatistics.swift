import HeartRate

/// Statistics over consecutive periods of 5 min (Task Force 1996), intended for 24 h.
///
/// The periods begin with the first interval; a period contains the NN intervals that end after its start and up to
/// its end. The incomplete last period is excluded, and so is a period of which NN intervals cover less than half.
///
/// - Complexity: O(n).
public struct FiveMinuteStatistics: Equatable, Sendable {
  /// Length of a period in seconds.
  public static let period = 300
  /// Minimum number of periods.
  public static let minimumPeriods = 3
  /// Minimum fraction of a period, 0 to 1, that NN intervals must cover.
  static let minimumCoverage = 0.5

  /// SDANN in ms: standard deviation over n - 1 of the mean NN interval of each period.
  public let sdann: Metric
  /// SDNN index in ms: mean of the SDNN of each period.
  public let sdnnIndex: Metric

  /// Computes the statistics. Absent below three periods.
  public init(_ segments: NNSegments) {
    let periods = Self.periods(segments)
    sdann = Metric { () throws(Absence) in
      try Self.require(periods)
      let means = periods.compactMap(\.meanNN)
      let mean = means.reduce(0, +) / Double(means.count)
      let squares = means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return (squares / Double(means.count - 1)).squareRoot()
    }
    sdnnIndex = Metric { () throws(Absence) in
      try Self.require(periods)
      return periods.compactMap(\.sdnn).reduce(0, +) / Double(periods.count)
    }
  }

  private static func require(_ periods: [NNSums]) throws(Absence) {
    guard periods.count >= minimumPeriods else {
      throw .tooFewPeriods(found: periods.count, needed: minimumPeriods)
    }
  }

  /// Returns the sums of each complete period with enough NN intervals.
  private static func periods(_ segments: NNSegments) -> [NNSums] { numbered(segments).map(\.sums) }

  /// The mean heart rate in bpm of each of these periods, and its middle in seconds from the first interval.
  static func heartRates(_ segments: NNSegments) -> [(time: Double, value: Double)] {
    numbered(segments).compactMap { number, sums in
      sums.meanNN.map { ((Double(number) + 0.5) * Double(period), 60_000 / $0) }
    }
  }

  private static func numbered(_ segments: NNSegments) -> [(number: Int64, sums: NNSums)] {
    guard segments.count > 0, let last = segments.ends.last else { return [] }
    let length = Int64(period) * RRInterval.ticksPerSecond
    let start = segments.start(of: 0..<1)
    let complete = max(0, (last - start) / length)
    var periods: [Int64: NNSums] = [:]
    for (end, interval) in zip(segments.ends, segments.lengths) {
      periods[(end - start - 1) / length, default: NNSums()].add(Int64(interval))
    }
    let least = Int64(minimumCoverage * Double(length))
    return periods.filter { $0.key < complete && $0.value.count > 1 && $0.value.totalTicks >= least }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
