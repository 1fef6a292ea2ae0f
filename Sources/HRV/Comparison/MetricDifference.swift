/// The difference of a metric between two periods, with a 95 % interval derived from the variation between
/// windows.
///
/// Each period is divided into adjacent windows. The pooled variance s^2 within the periods estimates the
/// variation of one window. For a period of k windows the variance is s^2 (1 / k + r / (1 - r)), where r is
/// the fraction of the variance that persists longer than a window (``RestVariability/lastingShare``,
/// measured for ln RMSSD and applied to the other metrics too). The interval uses Student's t with the pooled
/// degrees of freedom. It is a guide only and is not used to report a change.
public struct MetricDifference: Equatable, Sendable {
  /// The reason why the interval is missing.
  public enum Reason: Error, Equatable, Sendable, CustomStringConvertible {
    case tooFewWindows(found: Int, needed: Int)

    public var description: String {
      switch self {
      case .tooFewWindows(let found, let needed): "\(found) windows with a value, \(needed) needed"
      }
    }
  }

  /// Minimum number of windows with a value in both periods together; each period needs at least one.
  public static let fewestWindows = 6

  /// B minus A.
  public let difference: Double
  /// Half of the width of the 95 % interval, or the reason why it is missing.
  public let halfWidth: Result<Double, Reason>

  /// Compares two periods.
  /// - Parameters:
  ///   - a: value of the whole period A, and values of its windows (those with a value).
  ///   - b: the same for B.
  public init(from a: (value: Double, windows: [Double]), to b: (value: Double, windows: [Double])) {
    difference = b.value - a.value
    let counts = (a.windows.count, b.windows.count)
    let found = counts.0 + counts.1
    guard counts.0 > 0, counts.1 > 0, found >= Self.fewestWindows else {
      halfWidth = .failure(.tooFewWindows(found: found, needed: Self.fewestWindows))
      return
    }
    let freedom = Double(found - 2)
    let variance = (Self.squares(a.windows) + Self.squares(b.windows)) / freedom
    let lasting = RestVariability.lastingShare / (1 - RestVariability.lastingShare)
    let sum = 1 / Double(counts.0) + 1 / Double(counts.1) + 2 * lasting
    halfWidth = .success(StudentT.quantile95(degreesOfFreedom: freedom) * (variance * sum).squareRoot())
  }

  /// Sum of squared deviations from the mean.
  private static func squares(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
