/// The difference of a metric between two stretches of time, with a 95 % interval from how it varies between windows.
///
/// Each side is cut into windows side by side. Their variance within the sides, pooled, is what the metric varies by;
/// a side of k windows averages it to s^2 (1 / k + r / (1 - r)), where r is the share that lasts longer than a window
/// (``RestVariability/lastingShare``, measured for ln RMSSD and taken for the others as well). Student's t with the
/// pooled degrees of freedom does the rest. It is a guide: nothing is called changed by it.
public struct MetricDifference: Equatable, Sendable {
  /// Why there is no interval.
  public enum Reason: Error, Equatable, Sendable, CustomStringConvertible {
    case tooFewWindows(found: Int, needed: Int)

    public var description: String {
      switch self {
      case .tooFewWindows(let found, let needed): "\(found) windows with a value, \(needed) needed"
      }
    }
  }

  /// The fewest windows with a value of both sides together, of which each has one at least.
  public static let fewestWindows = 6

  /// B less A.
  public let difference: Double
  /// Half of the 95 % interval, or why there is none.
  public let halfWidth: Result<Double, Reason>

  /// - Parameters:
  ///   - a: the value of the whole of A, and those of its windows (those that have one).
  ///   - b: the same of B.
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

  /// Squared deviations from the mean.
  private static func squares(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
