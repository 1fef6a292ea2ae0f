/// The last lengths of the acceleration vector, in mg.
struct NormWindow: Sendable {
  private static let capacity = 128

  private var values = InlineArray<128, Double>(repeating: 0)
  private(set) var total = 0

  mutating func append(_ value: Double) {
    values[total % Self.capacity] = value
    total += 1
  }

  /// The value that is `age` values older than the newest.
  private func value(_ age: Int) -> Double { values[(total - 1 - age) % Self.capacity] }

  /// Mean amplitude deviation and ENMO of the last `count` values, in mg.
  func intensity(of count: Int) -> (mad: Double, enmo: Double) {
    let count = min(count, total, Self.capacity)
    guard count > 0 else { return (0, 0) }
    var (sum, excess) = (0.0, 0.0)
    for age in 0..<count {
      sum += value(age)
      excess += max(value(age) - 1000, 0)
    }
    let mean = sum / Double(count)
    var deviation = 0.0
    for age in 0..<count { deviation += (value(age) - mean).magnitude }
    return (deviation / Double(count), excess / Double(count))
  }

  /// The number of values per step with the highest autocorrelation of the last `count` values, and that correlation.
  /// Requires at least `count` values.
  /// - Complexity: O(count x lags); called once per second.
  func rhythm(of count: Int, lags: ClosedRange<Int>) -> (lag: Int, correlation: Double)? {
    guard total >= count, count <= Self.capacity, lags.upperBound < count else { return nil }
    var mean = 0.0
    for age in 0..<count { mean += value(age) / Double(count) }
    var best = (lag: lags.lowerBound, correlation: -1.0)
    for lag in lags {
      let correlation = correlation(lag, count, mean)
      if correlation > best.correlation { best = (lag, correlation) }
    }
    return best
  }

  private func correlation(_ lag: Int, _ count: Int, _ mean: Double) -> Double {
    var (products, squares, shifted) = (0.0, 0.0, 0.0)
    for age in 0..<(count - lag) {
      let (a, b) = (value(age) - mean, value(age + lag) - mean)
      products += a * b
      squares += a * a
      shifted += b * b
    }
    let scale = (squares * shifted).squareRoot()
    return scale > 0 ? products / scale : 0
  }
}
