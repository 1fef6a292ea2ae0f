import RealModule

/// Approximate entropy of NN intervals (Pincus 1991), with patterns of m = 2 beats.
///
/// The entropy is phi(2) - phi(3), where phi(m) is the mean, over all patterns of m successive intervals, of the logarithm of
/// the fraction of patterns that match. Two patterns match if each pair of intervals differs by at most r. Each pattern
/// matches itself: the entropy always exists, but is biased towards regularity (``SampleEntropy`` is not). r is a multiple of
/// the standard deviation (over n - 1). The unit is nat.
///
/// A pattern is within one run of normal beats and never spans a gap or an artefact; the order of the runs is irrelevant.
/// Comparisons use exact integers.
///
/// - Complexity: O(n^2) in the worst case; pairs whose first intervals differ by more than r are not compared.
public struct ApproximateEntropy: Equatable, Sendable {
  /// r as a multiple of the standard deviation.
  public var tolerance = 0.2
  /// Maximum number of NN intervals: about three days. The entropy of a longer series is absent.
  public var limit = 250_000

  /// Minimum number of NN intervals: 10^m (Pincus & Goldberger 1994).
  public static let minimumBeats = 100

  public init() {}

  /// Returns the entropy of `segments`. Absent below 100 NN intervals, if all are equal, and without three successive
  /// normal beats.
  public func entropy(of segments: NNSegments) -> Metric {
    Metric { () throws(Absence) in
      try segments.require(Self.minimumBeats)
      try segments.require(atMost: limit)
      let reach = tolerance * (NNSums(segments.lengths[...]).sdnn ?? 0) * NNSegments.ticksPerMillisecond
      guard reach > 0 else { throw .unchanging }
      let bound = Int32(min(reach, 1e9))
      let (pairs, triples) = (segments.patterns(length: 2), segments.patterns(length: 3))
      guard !triples.isEmpty else { throw .tooFewBeats(found: 2, needed: 3) }
      return Self.meanLogarithm(pairs, bound) - Self.meanLogarithm(triples, bound)
    }
  }

  /// Returns the mean of the logarithms of the fractions of patterns that match each pattern.
  private static func meanLogarithm(_ patterns: [SIMD3<Int32>], _ reach: Int32) -> Double {
    let (first, second, third) = (patterns.map(\.x), patterns.map(\.y), patterns.map(\.z))
    let count = Double(patterns.count)
    var (lower, upper, sum) = (0, 0, 0.0)
    for index in first.indices {
      while first[index] - first[lower] > reach { lower += 1 }
      while upper < first.count, first[upper] - first[index] <= reach { upper += 1 }
      sum += .log(Double(matches(second, third, index, lower..<upper, reach)) / count)
    }
    return sum / count
  }

  /// Returns how many patterns in `range` match the pattern at `index` in the second and third intervals.
  @inline(__always)
  private static func matches(
    _ second: [Int32], _ third: [Int32], _ index: Int, _ range: Range<Int>, _ reach: Int32
  ) -> Int32 {
    let (lowSecond, lowThird) = (second[index] &- reach, third[index] &- reach)
    let span = UInt32(bitPattern: 2 &* reach)
    var count: Int32 = 0
    unsafe second.withUnsafeBufferPointer { second in
      unsafe third.withUnsafeBufferPointer { third in
        for other in range {
          let isSecond: Int32 = unsafe UInt32(bitPattern: second[other] &- lowSecond) <= span ? 1 : 0
          let isThird: Int32 = unsafe UInt32(bitPattern: third[other] &- lowThird) <= span ? 1 : 0
          count &+= isSecond & isThird
        }
      }
    }
    return count
  }
}
