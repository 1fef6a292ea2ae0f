import RealModule

/// The daily rhythm of the heart rate: a cosine with a period of 24 h, fitted by least squares to the mean heart rates of periods of
/// 5 min (Nelson, Tong, Lee & Halberg 1979).
///
/// Neighbouring periods are alike, so the standard errors are those of the number of independent values n (1 - r) / (1 + r), for the
/// correlation r of neighbouring residuals. The interval of the time of the peak is that of the angle (Bingham et al. 1982); it is absent
/// if the amplitude does not differ from 0 at 5 %.
///
/// - Complexity: O(n).
public struct Cosinor: Equatable, Sendable {
  /// Minimum length from the first to the last period in seconds: 18 h.
  public static let minimumLength = 64_800.0
  private static let day = 86_400.0

  /// Rhythm-adjusted mean in bpm.
  public let mesor: Double
  /// Half of the difference between the highest and the lowest fitted value in bpm.
  public let amplitude: Double
  /// Half of the width of the 95 % interval of mesor and amplitude.
  public let mesorHalfWidth: Double
  public let amplitudeHalfWidth: Double
  /// Time of the highest fitted value in seconds from the start of the recording, 0 to 86,400.
  public let peak: Double
  /// Half of the width of its 95 % interval in seconds; absent if the rhythm is not significant.
  public let peakHalfWidth: Double?
  /// Fraction of the variance of the periods that the cosine explains, 0 to 1.
  public let explained: Double

  /// Fits the heart rate of `segments`. Fails below 18 h, and below half of the periods of a day.
  public init?(_ segments: NNSegments) {
    let values = FiveMinuteStatistics.heartRates(segments)
    guard let first = values.first, let last = values.last, last.time - first.time >= Self.minimumLength,
      values.count >= 144
    else { return nil }
    self.init(values)
  }

  /// Fits values in bpm at times in seconds, in ascending order.
  init?(_ values: [(time: Double, value: Double)]) {
    let rows = values.map { value in
      let angle = 2 * Double.pi * value.time / Self.day
      return [1, Double.cos(angle), Double.sin(angle)]
    }
    var products = Array(repeating: Array(repeating: 0.0, count: 3), count: 3)
    var sums = [0.0, 0, 0]
    for (row, value) in zip(rows, values) {
      for a in 0..<3 {
        sums[a] += row[a] * value.value
        for b in 0..<3 { products[a][b] += row[a] * row[b] }
      }
    }
    guard let inverse = Self.inverse(products) else { return nil }
    let fitted = (0..<3).map { row in (0..<3).reduce(0) { $0 + inverse[row][$1] * sums[$1] } }
    let residuals = zip(rows, values).map { row, value in
      value.value - (0..<3).reduce(0) { $0 + row[$1] * fitted[$1] }
    }
    let n = Double(values.count)
    let squares = residuals.reduce(0) { $0 + $1 * $1 }
    let neighbours = zip(residuals, residuals.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    let correlation = squares > 0 ? min(0.99, max(0, neighbours / squares)) : 0
    let independent = max(4, n * (1 - correlation) / (1 + correlation))
    // The covariance of the coefficients, for the number of independent values.
    let variance = squares / n * n / independent * n / max(1, n - 3)
    let quantile = StudentT.quantile95(degreesOfFreedom: max(1, independent - 3))
    let (b, c) = (fitted[1], fitted[2])
    let size = (b * b + c * c).squareRoot()
    guard size > 0 else { return nil }
    let along = (b * b * inverse[1][1] + c * c * inverse[2][2] + 2 * b * c * inverse[1][2]) / (size * size)
    let across = (c * c * inverse[1][1] + b * b * inverse[2][2] - 2 * b * c * inverse[1][2]) / (size * size)
    (mesor, amplitude) = (fitted[0], size)
    mesorHalfWidth = quantile * (variance * inverse[0][0]).squareRoot()
    amplitudeHalfWidth = quantile * (variance * max(0, along)).squareRoot()
    let angle = Double.atan2(y: c, x: b)
    peak = (angle < 0 ? angle + 2 * Double.pi : angle) / (2 * Double.pi) * Self.day
    let width = quantile * (variance * max(0, across)).squareRoot() / size
    peakHalfWidth = amplitudeHalfWidth < size ? width / (2 * Double.pi) * Self.day : nil
    let mean = values.reduce(0) { $0 + $1.value } / n
    let all = values.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) }
    explained = all > 0 ? max(0, 1 - squares / all) : 0
  }

  /// The inverse of a symmetric matrix of three rows; `nil` if it is singular.
  private static func inverse(_ m: [[Double]]) -> [[Double]]? {
    func minor(_ row: Int, _ column: Int) -> Double {
      let (r, c) = ((0..<3).filter { $0 != row }, (0..<3).filter { $0 != column })
      return m[r[0]][c[0]] * m[r[1]][c[1]] - m[r[0]][c[1]] * m[r[1]][c[0]]
    }
    func signed(_ row: Int, _ column: Int) -> Double {
      (row + column).isMultiple(of: 2) ? minor(row, column) : -minor(row, column)
    }
    let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * signed(0, $1) }
    guard abs(determinant) > 1e-9 else { return nil }
    return (0..<3).map { row in (0..<3).map { signed($0, row) / determinant } }
  }
}
