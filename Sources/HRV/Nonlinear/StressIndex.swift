import HeartRate

/// Baevsky's stress index SI = AMo / (2 Mo MxDMn) (Baevsky & Berseneva 2008), in %/s^2.
///
/// The histogram of NN intervals has bins of 50 ms that begin at multiples of 50 ms. Mo is the centre of the
/// fullest bin in s (the shortest of several), AMo the percentage of NN intervals in it, and MxDMn the range
/// of the NN intervals in s. High values indicate a fast and regular heart rate; resting values are 50 to
/// 150. Some programs display the square root. A single artefact increases MxDMn, so beats should be
/// classified first.
///
/// The order of the intervals and gaps are irrelevant.
public struct StressIndex: Equatable, Sendable {
  /// Width of a bin in ms.
  public static let binWidth = 50
  /// Minimum number of NN intervals.
  public static let minimumBeats = 100

  /// Stress index in %/s^2.
  public let value: Metric

  /// Computes the index. Absent below `minimumBeats` NN intervals, and if all are equal.
  public init(_ segments: NNSegments, minimumBeats: Int = Self.minimumBeats) {
    value = Metric { () throws(Absence) in
      try segments.require(minimumBeats)
      guard let shortest = segments.lengths.min(), let longest = segments.lengths.max(), shortest < longest
      else { throw .unchanging }
      let mode = Self.mode(segments.lengths)
      let amplitude = 100 * Double(mode.count) / Double(segments.count)
      let range = NNSegments.seconds(Int64(longest - shortest))
      return amplitude / (2 * mode.seconds * range)
    }
  }

  private static func mode(_ lengths: [Int32]) -> (seconds: Double, count: Int) {
    let width = Int32(binWidth) * Int32(RRInterval.ticksPerMillisecond)
    var bins = [Int](repeating: 0, count: Int(Int32(NNSegments.longest) / width) + 1)
    for length in lengths { bins[Int(length / width)] += 1 }
    let fullest = bins.max() ?? 0
    let bin = bins.firstIndex(of: fullest) ?? 0
    return ((Double(bin) + 0.5) * Double(binWidth) / 1000, fullest)
  }
}
