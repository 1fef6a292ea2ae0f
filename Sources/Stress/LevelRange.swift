import RealModule

/// The range of the stress level that the uncertainty of a young baseline implies: with the usual values of the person
/// instead of the baseline in force, the level would lie in it in 9 of 10 cases.
///
/// The usual HRV and the usual heart rate of a person deviate from the baseline with the variances of
/// ``BlendVariances``. Each bound assumes that both deviate in the direction that changes the level, because people with
/// a lower HRV have a higher heart rate. ``StressInterval`` contains the errors of the data and not this uncertainty.
public struct LevelRange: Equatable, Sendable {
  /// Bounds from 0 to 100; `low` is at most the stress value and `high` at least.
  public let low: Double
  public let high: Double

  /// Weight of the own values from which the range is not stated.
  public static let solidWeight = 0.8

  /// 0.95 quantile of the normal distribution.
  private static let quantile = 1.6448536269514722
  /// The lowest resting heart rate of the range in bpm.
  private static let lowestRate = 30.0

  /// - Parameters:
  ///   - metric: the HRV metric of the score.
  ///   - weight: ``Baseline/weight`` of the baseline of the score.
  /// - Returns: No range from a weight of ``solidWeight``.
  public init?(_ score: StressScore, metric: HRVMetric, weight: Double) {
    guard weight < Self.solidWeight else { return nil }
    let hrv = Self.quantile * BlendVariances.hrv(metric).uncertainty(whenRMSSD: weight).squareRoot()
    let rate = Self.quantile * BlendVariances.heartRate.uncertainty(whenRMSSD: weight).squareRoot()
    low = min(score.value, Self.level(score, hrv: -hrv, rate: rate))
    high = max(score.value, Self.level(score, hrv: hrv, rate: -rate))
  }

  /// The level after a change `hrv` of the logarithm of the usual HRV and `rate` of the usual heart rate in bpm.
  private static func level(_ score: StressScore, hrv: Double, rate: Double) -> Double {
    var inputs = score.inputs
    inputs.baselineHRV *= .exp(hrv)
    inputs.restingHeartRate = max(min(lowestRate, inputs.restingHeartRate), inputs.restingHeartRate + rate)
    return StressScore(checked: inputs).value
  }
}
