/// Removes the slow trend of a series (smoothness priors; Tarvainen, Ranta-aho & Karjalainen 2002).
///
/// The trend minimises the squared distance from the series plus lambda^2 times its squared second differences;
/// subtracting it is a high-pass filter. For samples at 4 Hz, the system of equations is exactly
/// (I + lambda^2 D2' D2) trend = values, and the default lambda of 500 has its cut-off at 0.035 Hz.
///
/// For other distances between the values, second differences are replaced by second derivatives, and each value is weighted
/// with the duration that it represents. The cut-off in Hz then depends on lambda only.
///
/// - Complexity: O(n) time and memory: the matrix has five diagonals and is factorised into L D L'.
public struct SmoothnessPriors: Equatable, Sendable {
  /// Regularisation parameter: larger values leave slower trends in the series. Dimensionless, for samples at 4 Hz.
  public var lambda: Double

  /// Distance in seconds of the samples for which ``lambda`` is defined.
  static let referenceStep = 0.25

  public init(lambda: Double = 500) { self.lambda = lambda }

  /// Returns the values without their trend.
  /// - Parameters:
  ///   - times: times in seconds, strictly ascending.
  ///   - durations: the time in seconds that each value represents.
  func detrended(_ values: [Double], at times: [Double], durations: [Double]) -> [Double] {
    zip(values, trend(of: values, at: times, durations: durations)).map { $0 - $1 }
  }

  /// Returns samples at intervals of `step` seconds without their trend.
  func detrended(_ samples: [Double], step: Double) -> [Double] {
    detrended(
      samples, at: samples.indices.map { Double($0) * step },
      durations: Array(repeating: step, count: samples.count))
  }

  func trend(of values: [Double], at times: [Double], durations: [Double]) -> [Double] {
    precondition(values.count == times.count && values.count == durations.count)
    let weights = durations.map { $0 / Self.referenceStep }
    var matrix = FiveDiagonals(diagonal: weights)
    let step = Self.referenceStep
    for middle in times.indices.dropFirst().dropLast() {
      let (before, after) = (times[middle] - times[middle - 1], times[middle + 1] - times[middle])
      let (left, right) = (2 / (before * (before + after)), 2 / (after * (before + after)))
      let penalty = lambda * lambda * step * step * step * (before + after) / 2
      matrix.add(penalty, outerProductOf: (left, -(left + right), right), at: middle - 1)
    }
    return matrix.solve(zip(weights, values).map { $0 * $1 })
  }
}

/// A symmetric, positive definite matrix with five diagonals.
private struct FiveDiagonals {
  private var diagonal: [Double]
  /// Element i is in row i and column i + 1.
  private var first: [Double]
  /// Element i is in row i and column i + 2.
  private var second: [Double]

  init(diagonal: [Double]) {
    self.diagonal = diagonal
    first = Array(repeating: 0, count: diagonal.count)
    second = first
  }

  /// Adds `factor` times the outer product of a vector that is non-zero in three rows, from `row` on.
  mutating func add(_ factor: Double, outerProductOf vector: (Double, Double, Double), at row: Int) {
    let (a, b, c) = vector
    diagonal[row] += factor * a * a
    diagonal[row + 1] += factor * b * b
    diagonal[row + 2] += factor * c * c
    first[row] += factor * a * b
    first[row + 1] += factor * b * c
    second[row] += factor * a * c
  }

  /// Solves the equations for the right side `values`, by factorisation without pivoting.
  consuming func solve(_ values: [Double]) -> [Double] {
    var solution = values
    for row in diagonal.indices {
      if row > 0 {
        diagonal[row] -= first[row - 1] * first[row - 1] * diagonal[row - 1]
        first[row] -= first[row - 1] * second[row - 1] * diagonal[row - 1]
        solution[row] -= first[row - 1] * solution[row - 1]
      }
      if row > 1 {
        diagonal[row] -= second[row - 2] * second[row - 2] * diagonal[row - 2]
        solution[row] -= second[row - 2] * solution[row - 2]
      }
      first[row] /= diagonal[row]
      second[row] /= diagonal[row]
    }
    for row in solution.indices.reversed() {
      solution[row] /= diagonal[row]
      if row + 1 < solution.count { solution[row] -= first[row] * solution[row + 1] }
      if row + 2 < solution.count { solution[row] -= second[row] * solution[row + 2] }
    }
    return solution
  }
}
