import RealModule

/// Detrended fluctuation analysis of NN intervals: the short-term scaling exponent alpha1 (Peng et al. 1995).
///
/// The series is summed up; for each box size n the sum is cut into boxes, the line that fits best is taken away
/// from each, and F(n) is the root mean square of what is left over all boxes. Alpha1 is the slope of log F(n)
/// against log n: 0.5 for values that do not depend on one another, 1 for 1/f noise, 1.5 for a random walk.
/// It has no unit.
///
/// Boxes lie within runs of normal beats, so that none reaches over a gap or a bad beat; the order of the runs
/// does not matter. Because lines are taken away, a constant added to all intervals changes nothing, and needs
/// no mean to be taken away first. Sums are exact integers.
///
/// - Complexity: O(beats) for each box size.
public struct FluctuationAnalysis: Equatable, Sendable {
  /// How the boxes of a size make F(n).
  public enum Average: String, Sendable, CaseIterable {
    /// Root of the mean of the boxes' mean squares (Peng et al. 1995).
    case rootMeanSquare
    /// Mean of the boxes' roots, as nolds (and so pyHRV) has it.
    case meanOfRoots
  }

  /// Sizes of boxes, in beats, from 3 on; each from the smallest to the largest is used.
  public var boxes = 4...16
  /// Whether a box begins in the middle of the one before. As in NeuroKit2 and nolds, the box that would end with
  /// the last beat of a run is then left out.
  public var overlaps = false
  /// The root mean square, unless a peer is to be followed.
  public var average = Average.rootMeanSquare
  /// Whether boxes that are straight to 1e-4 ms are left out, as in NeuroKit2. Matters where RR are coarse.
  public var skipsStraightBoxes = false

  /// Smallest number of boxes of the largest size (Hardstone et al. 2012): 160 beats in one run for 4 to 16.
  public static let minimumBoxes = 10

  public init() {}

  /// The scaling exponent of `segments`. Absent with fewer than ten boxes of the largest size (counted side by
  /// side), and where all boxes of a size are straight.
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

  /// The sum of the intervals less a constant near their mean, in ticks.
  private static func profile(_ segments: NNSegments) -> [Int64] {
    let mean = segments.lengths.reduce(0) { $0 + Int64($1) } / Int64(segments.count)
    var sum: Int64 = 0
    return segments.lengths.map { length in
      sum += Int64(length) - mean
      return sum
    }
  }

  /// F(`size`) in ms; nil without a box.
  private func fluctuation(_ profile: [Int64], _ runs: [Range<Int>], _ size: Int) -> Double? {
    let hop = overlaps ? size / 2 : size
    let straight = 1e-8 * NNSegments.ticksPerMillisecond * NNSegments.ticksPerMillisecond
    var (sum, count) = (0.0, 0)
    profile.withUnsafeBufferPointer { profile in
      for run in runs {
        let last = run.upperBound - size - (overlaps ? 1 : 0)
        for start in stride(from: run.lowerBound, through: last, by: hop) {
          let meanSquare = Self.residual(profile, start, size)
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

  /// Mean square, in ticks^2, of a box around the line that fits it best. Values are taken from the first one on,
  /// so that they stay small.
  @inline(__always)
  private static func residual(_ profile: UnsafeBufferPointer<Int64>, _ start: Int, _ size: Int) -> Double {
    let n = Double(size)
    let middle = (n - 1) / 2
    let origin = profile[start]
    var (sum, squares, products) = (0.0, 0.0, 0.0)
    for index in 0..<size {
      let value = Double(profile[start + index] - origin)
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
