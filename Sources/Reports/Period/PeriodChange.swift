import Glibc
import HRV
import History

/// The difference between the daily means of two periods, with Welch's interval (Welch 1947).
///
/// Each day counts once, because the measurements of one day are not independent of one another.
package struct PeriodChange: Sendable {
  /// Mean of the daily means, if there are days; the geometric mean if `isRatio`.
  package let now: Double?
  package let before: Double?
  package let daysNow: Int
  package let daysBefore: Int
  /// Difference or ratio. Requires three days in each of them.
  package let change: Double?
  /// 95 % interval of `change`.
  package let interval: ClosedRange<Double>?
  /// Whether the ratio of the periods is estimated instead of their difference.
  package let isRatio: Bool

  package static let fewestDays = 3

  package init(of now: [Double], against before: [Double], isRatio: Bool) {
    self.isRatio = isRatio
    func scale(_ value: Double) -> Double { isRatio ? log(max(value, .leastNormalMagnitude)) : value }
    func back(_ value: Double) -> Double { isRatio ? exp(value) : value }
    let new = Spread(now.map(scale))
    let old = Spread(before.map(scale))
    self.now = new.map { back($0.mean) }
    self.before = old.map { back($0.mean) }
    (daysNow, daysBefore) = (now.count, before.count)
    guard let new, let old, let a = new.deviation, let b = old.deviation,
      min(now.count, before.count) >= Self.fewestDays
    else {
      (change, interval) = (nil, nil)
      return
    }
    let (n, m) = (Double(now.count), Double(before.count))
    let (va, vb): (Double, Double) = (a * a / n, b * b / m)
    let (sum, spread): (Double, Double) = (va + vb, va * va / (n - 1) + vb * vb / (m - 1))
    let freedom: Double = sum * sum / spread
    let quantile = StudentT.quantile95(degreesOfFreedom: freedom.isFinite ? max(2, freedom) : n + m - 2)
    let half = quantile * sum.squareRoot()
    let difference = new.mean - old.mean
    change = back(difference)
    interval = back(difference - half)...back(difference + half)
  }

  /// Whether the interval excludes no change.
  package var isChanged: Bool? { interval.map { !$0.contains(isRatio ? 1 : 0) } }
}
