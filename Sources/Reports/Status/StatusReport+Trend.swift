import Breathing
import Glibc
import HRV
import LiveSession
import Stress

extension StatusReport.Trend {
  /// Lengths in seconds of the compared parts.
  static let (latest, earlier) = (300.0, 1800.0)

  /// The direction of HRV from its mean in the earlier part to that in the latest part. It changes from the smallest
  /// detectable change on, so that the variation within one rest is `steady`.
  init(_ metric: HRVMetric, from old: Double, to new: Double, variability: RestVariability) {
    let ratio = exp(Self.detectableChange(metric, variability))
    self = new > ratio * old ? .up : old > ratio * new ? .down : .steady
  }

  /// Half of the width of the 95 % interval of the difference of ln HRV between both parts of an undisturbed rest.
  private static func detectableChange(_ metric: HRVMetric, _ variability: RestVariability) -> Double {
    switch metric {
    case .sdnn: return RestInterval.halfWidth(RestInterval.lnSDNNSD, seconds: latest, earlier)
    case .rmssd:
      let variance = variability.variance(seconds: latest) + variability.variance(seconds: earlier)
      return StudentT.quantile95(degreesOfFreedom: RestVariability.degreesOfFreedom) * variance.squareRoot()
    }
  }
}
