import RealModule

/// Detrended fluctuation analysis of NN intervals: the scaling exponents alpha1 and alpha2 (Peng et al. 1995).
///
/// The profile is the cumulative sum of the series. For each box size n it is divided into boxes, each is
/// detrended by linear least squares, and F(n) is the root mean square of the residuals of all boxes. The exponent
/// is the slope of log F(n) against log n: 0.5 for uncorrelated values, 1 for 1/f noise, 1.5 for a random
/// walk. It is dimensionless.
///
/// Boxes are within runs of normal beats: none spans a gap or an artefact, and the order of the runs is irrelevant. Because
/// of the detrending, a constant offset of all intervals does not change the result, and subtracting the mean is unnecessary.
/// Sums are exact integers.
///
/// - Complexity: O(beats) for each box size.
public struct FluctuationAnalysis: Equatable, Sendable {
  /// How F(n) is computed from the boxes of a size.
  public enum Average: String, Sendable, CaseIterable {
    /// Root of the mean of the boxes' mean squares (Peng et al. 1995).
    case rootMeanSquare
    /// Mean of the boxes' root mean squares, as in nolds and therefore pyHRV.
    case meanOfRoots
  }

  /// Box sizes in beats, all integers of the range; the minimum is 3.
  public var boxes = 4...16
  /// Whether boxes overlap by half. As in NeuroKit2 and nolds, this omits the box that would end with the
  /// last beat of a run.
  public var overlaps = false
  /// How F(n) is computed; the default is the root mean square.
  public var average = Average.rootMeanSquare
  /// Whether boxes with residuals below 1e-4 ms are ignored, as in NeuroKit2. Relevant for coarse RR
  /// intervals.
  public var skipsStraightBoxes = false

  /// Minimum number of boxes of the largest size (Hardstone et al. 2012): 160 beats in one run for sizes 4 to
  /// 16.
  public static let minimumBoxes = 10

  public init() {}

  /// The long-term exponent alpha2: boxes of 17 to 64 beats, as in pyHRV. Requires 640 beats in runs.
  public static let longTerm = FluctuationAnalysis(boxes: 17...64)

  private init(boxes: ClosedRange<Int>) { self.boxes = boxes }

  /// Returns the scaling exponent of `segments`. Absent with fewer than ten non-overlapping boxes of the
  /// largest size, and if all boxes of a size have no residuals.
  public func exponent(of segments: NNSegments) -> Metric {
    Metric { () throws(Absence) in
      let largest = boxes.upperBound
      let found = segments.runs.reduce(0) { $0 + $1.count / largest }
      guard boxes.lowerBound >= 3, boxes.count > 1, found >= Self.minimumBoxes else {
        throw .tooFewBeats(found: found * largest, needed: Self.minimumBoxes * largest)
      }
      let profile = Self.profile(segments)
      let runs = segments.runs
      var points: [(x: Double, y: Double)] = []
      for size in boxes {
        guard let fluctuation = fluctuation(profile, runs, size), fluctuation > 0 else { throw .unchanging }
        points.append((.log(Double(size)), .log(fluctuation)))
      }
      return Self.slope(points)
    }
  }

  /// Returns the mean number of beats in boxes without overlap, over all box sizes.
  func coveredBeats(of segments: NNSegments) -> Double {
    let runs = segments.runs
    let sum = boxes.reduce(0) { sum, size in runs.reduce(sum) { $0 + $1.count / size * size } }
    return Double(sum) / Double(boxes.count)
  }

  /// Returns the cumulative sum of the intervals minus a constant close to their mean, in ticks.
  private static func profile(_ segments: NNSegments) -> [Int64] {
    let mean = segments.lengths.reduce(0) { $0 + Int64($1) } / Int64(segments.count)
    var sum: Int64 = 0
    return segments.lengths.map { length in
      sum += Int64(length) - mean
      return sum
    }
  }

  /// Returns F(`size`) in ms, if there is a box of this size.
  private func fluctuation(_ profile: [Int64], _ runs: [Range<Int>], _ size: Int) -> Double? {
    let hop = overlaps ? size / 2 : size
    let straight = 1e-8 * NNSegments.ticksPerMillisecond * NNSegments.ticksPerMillisecond
    var (sum, count) = (0.0, 0)
    unsafe profile.withUnsafeBufferPointer { profile in
      for run in runs {
        let last = run.upperBound - size - (overlaps ? 1 : 0)
        for start in stride(from: run.lowerBound, through: last, by: hop) {
          let meanSquare = unsafe Self.residual(profile, start, size)
          if skipsStraightBoxes, meanSquare <= straight { continue }
          sum += average == .rootMeanSquare ? meanSquare : meanSquare.squareRoot()
          count += 1
        }
      }
    }
    guard count > 0 else { return nil }
    let mean = sum / Double(count)
    return (average == .rootMeanSquare ? mean.squareRoot() : mean) / NNSegments.ticksPerMillisecond
  }

  /// Returns the mean square of the residuals of a box, in ticks^2. Values are relative to the first one, to
  /// keep them small.
  @inline(__always)
  private static func residual(_ profile: UnsafeBufferPointer<Int64>, _ start: Int, _ size: Int) -> Double {
    let n = Double(size)
    let middle = (n - 1) / 2
    let origin = unsafe profile[start]
    var (sum, squares, products) = (0.0, 0.0, 0.0)
    for index in 0..<size {
      let value = unsafe Double(profile[start + index] - origin)
      sum += value
      squares += value * value
      products += (Double(index) - middle) * value
    }
    let variance = n * (n * n - 1) / 12
    return max(0, (squares - sum * sum / n - products * products / variance) / n)
  }

  private static func slope(_ points: [(x: Double, y: Double)]) -> Double {
    let count = Double(points.count)
    let meanX = points.reduce(0) { $0 + $1.x } / count
    let meanY = points.reduce(0) { $0 + $1.y } / count
    let covariance = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    return covariance / points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
  }
}
