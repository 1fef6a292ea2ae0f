import HRV

/// The 95 % intervals of differences in heart rate and SDNN between two rests without a change, for rests
/// with too few windows to estimate their own variability.
///
/// The standard deviations are those of pairs of minutes of one undisturbed rest; longer rests differ less
/// (``MetricDifference/relativeVariance(seconds:)``); docs/design/breathing.md contains the measurements. The intervals use Student's t with the degrees of freedom of the population default of ln
/// RMSSD.
package enum RestInterval {
  /// Standard deviation of the difference of mean heart rate between two windows of 60 s, in bpm.
  package static let heartRateSD = 1.6
  /// Standard deviation of the difference of ln SDNN between two windows of 60 s.
  package static let lnSDNNSD = 0.37

  /// Returns half of the width of the 95 % interval of a difference with the standard deviation `deviation`
  /// for minutes, between two rests whose normal beats cover `a` and `b` seconds.
  package static func halfWidth(_ deviation: Double, seconds a: Double, _ b: Double) -> Double {
    let variance =
      (MetricDifference.relativeVariance(seconds: a) + MetricDifference.relativeVariance(seconds: b)) / 2
    let quantile = StudentT.quantile95(degreesOfFreedom: RestVariability.degreesOfFreedom)
    return quantile * deviation * variance.squareRoot()
  }
}
