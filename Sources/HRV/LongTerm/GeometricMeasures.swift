import HeartRate

/// Geometric measures of the histogram of NN intervals (Task Force 1996), whose bins are 1/128 s = 7.8125 ms wide.
///
/// Both describe the overall variability and are insensitive to single artefacts. They require many intervals: the
/// Task Force recommends recordings of at least 20 min, preferably 24 h. The order of the intervals and gaps are
/// irrelevant.
///
/// - Complexity: O(intervals + bins^2).
public struct GeometricMeasures: Equatable, Sendable {
  /// Where the first bin begins.
  public enum Origin: String, Sendable, CaseIterable {
    /// At a multiple of the width: the bins do not depend on the extremes.
    case multiple
    /// At the shortest interval, as in NeuroKit2 and pyHRV.
    case shortest
  }

  /// Width of a bin in ticks of 1/80,000 ms: 1/128 s.
  static let binWidth = Int32(RRInterval.ticksPerSecond / 128)
  /// Minimum number of NN intervals.
  public static let minimumBeats = 100

  /// Triangular index: number of NN intervals divided by the number in the fullest bin. Dimensionless.
  public let triangularIndex: Metric
  /// TINN in ms: width of the base of the triangle with the height of the fullest bin (of several, the shortest)
  /// that approximates the histogram by least squares. Absent in addition if the fullest bin is at an end.
  public let tinn: Metric

  /// Computes the measures. Absent below 100 NN intervals, and if all are equal.
  public init(_ segments: NNSegments, origin: Origin = .multiple) {
    let histogram = Result<[Double], Absence> { () throws(Absence) in
      try Self.histogram(segments, origin)
    }
    triangularIndex = Metric { () throws(Absence) in
      Double(segments.count) / (try histogram.get().max() ?? 0)
    }
    tinn = Metric { () throws(Absence) in
      let bins = try histogram.get()
      guard let width = Triangle.baseWidth(bins) else { throw .undefined }
      return Double(width) * Double(Self.binWidth) / NNSegments.ticksPerMillisecond
    }
  }

  /// Returns the number of intervals in each bin, from that of the shortest to that of the longest interval.
  private static func histogram(_ segments: NNSegments, _ origin: Origin) throws(Absence) -> [Double] {
    try segments.require(minimumBeats)
    guard let shortest = segments.lengths.min(), let longest = segments.lengths.max(), shortest < longest
    else { throw .unchanging }
    let start = origin == .shortest ? shortest : shortest / binWidth * binWidth
    var bins = Array(repeating: 0.0, count: Int((longest - start) / binWidth) + 1)
    for length in segments.lengths { bins[Int((length - start) / binWidth)] += 1 }
    return bins
  }
}

/// The triangular interpolation of a histogram. The two sides do not depend on each other: each ends at the bin for
/// which the sum of the squared deviations on its side is smallest.
private enum Triangle {
  /// Returns the number of bins from the left to the right end of the base, if the histogram has a side.
  static func baseWidth(_ bins: [Double]) -> Int? {
    guard let height = bins.max(), let peak = bins.firstIndex(of: height) else { return nil }
    let left = reach(bins[..<peak].reversed(), height: height)
    let right = reach(Array(bins[(peak + 1)...]), height: height)
    return left + right > 0 ? left + right : nil
  }

  /// Returns the distance in bins from the peak to the end of the base. The base can end one bin after the last one.
  /// - Parameter side: the bins of a side, from the one next to the peak outwards.
  private static func reach(_ side: [Double], height: Double) -> Int {
    guard !side.isEmpty else { return 0 }
    let errors = (1...side.count + 1).map { end in
      side.enumerated().reduce(0.0) { sum, bin in
        let line = max(0, height * (1 - Double(bin.offset + 1) / Double(end)))
        return sum + (bin.element - line) * (bin.element - line)
      }
    }
    return 1 + (errors.indices.min { errors[$0] < errors[$1] } ?? 0)
  }
}
