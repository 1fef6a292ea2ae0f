import RealModule

/// Sample entropy of NN intervals (Richman & Moorman 2000), with patterns of m = 2 beats.
///
/// The entropy is -ln(A / B). B is the number of pairs of distinct positions at which two successive
/// intervals match, each within r; A is the number of pairs at which the third interval matches too. r is a
/// multiple of the standard deviation (over n - 1). The unit is nat.
///
/// A pattern and the interval after it are within one run of normal beats, because a gap or an artefact must not be spanned.
/// The order of the runs is irrelevant. Comparisons use exact integers.
///
/// - Complexity: O(n^2) in the worst case; pairs whose first intervals differ by more than r are not
///   compared.
public struct SampleEntropy: Equatable, Sendable {
  /// r as a multiple of the standard deviation.
  public var tolerance = 0.2
  /// Maximum number of NN intervals: about three days. The entropy of a longer series is absent.
  public var limit = 250_000

  /// Minimum number of NN intervals: 10^m (Richman & Moorman 2000).
  public static let minimumBeats = 100

  public init() {}

  /// Returns the entropy of `segments`. Absent below 100 NN intervals and above the limit, if all are equal, and if no patterns
  /// match.
  public func entropy(of segments: NNSegments) -> Metric {
    Metric { () throws(Absence) in
      try segments.require(Self.minimumBeats)
      try segments.require(atMost: limit)
      let patterns = segments.patterns(length: 3)
      let reach = tolerance * (NNSums(segments.lengths[...]).sdnn ?? 0) * NNSegments.ticksPerMillisecond
      guard reach > 0 else { throw .unchanging }
      let matches = Matches(patterns, reach: Int32(min(reach, 1e9)))
      guard matches.longer > 0 else { throw .noMatches }
      return .log(Double(matches.shorter)) - .log(Double(matches.longer))
    }
  }
}

extension NNSegments {
  /// The patterns of 2 or 3 successive intervals of a run, sorted by their first intervals. The third element of a pair repeats
  /// the second, which does not change whether two pairs match.
  func patterns(length: Int) -> [SIMD3<Int32>] {
    runs.flatMap { run in
      run.dropLast(length - 1).map { SIMD3(lengths[$0], lengths[$0 + 1], lengths[$0 + length - 1]) }
    }.sorted { $0.x < $1.x }
  }
}

/// The numbers of matching pairs of patterns.
private struct Matches {
  private(set) var shorter = 0
  private(set) var longer = 0

  /// Counts the matches.
  /// - Parameter patterns: sorted by their first intervals.
  init(_ patterns: [SIMD3<Int32>], reach: Int32) {
    // Separate arrays: the inner loop reads memory sequentially.
    let (first, second, third) = (patterns.map(\.x), patterns.map(\.y), patterns.map(\.z))
    var end = 0
    for index in first.indices {
      while end < first.count, first[end] - first[index] <= reach { end += 1 }
      count(second, third, index, end, reach)
    }
  }

  /// Compares the pattern at `index` with the following ones up to `end`. One unsigned comparison covers both
  /// signs: after adding the tolerance, a value that is too low wraps around to a large one.
  @inline(__always)
  private mutating func count(_ second: [Int32], _ third: [Int32], _ index: Int, _ end: Int, _ reach: Int32) {
    let (lowSecond, lowThird) = (second[index] &- reach, third[index] &- reach)
    let span = UInt32(bitPattern: 2 &* reach)
    var (shorter, longer): (Int32, Int32) = (0, 0)
    unsafe second.withUnsafeBufferPointer { second in
      unsafe third.withUnsafeBufferPointer { third in
        for other in index + 1..<max(end, index + 1) {
          let isAlike: Int32 = unsafe UInt32(bitPattern: second[other] &- lowSecond) <= span ? 1 : 0
          let staysAlike: Int32 = unsafe UInt32(bitPattern: third[other] &- lowThird) <= span ? 1 : 0
          shorter &+= isAlike
          longer &+= isAlike & staysAlike
        }
      }
    }
    self.shorter += Int(shorter)
    self.longer += Int(longer)
  }
}
