import HRV

/// The 95 % intervals of differences in heart rate and SDNN between two rests without a change, for rests
/// with too few windows to estimate their own variability.
///
/// The standard deviations are those of pairs of minutes of one undisturbed rest; longer rests differ less by
/// the same law as ln RMSSD (``RestVariability/variance(seconds:)``); docs/design/breathing.md contains the
/// measurements. The intervals use Student's t with the degrees of freedom of the population default of ln
/// RMSSD.
package enum RestInterval {
  /// Standard deviation of the difference of mean heart rate between two windows of 60 s, in bpm.
  package static let heartRateSD = 1.6
  /// Standard deviation of the difference of ln SDNN between two windows of 60 s.
  package static let lnSDNNSD = 0.37

  /// Returns half of the width of the 95 % interval of a difference with the standard deviation `deviation`
  /// for minutes, between two rests whose normal beats cover `a` and `b` seconds.
  package static func halfWidth(_ deviation: Double, seconds a: Double, _ b: Double) -> Double {
    let prior = RestVariability.populationDefault
    let variance = prior.variance(seconds: a) + prior.variance(seconds: b)
    let scale = deviation / prior.differenceSD
    return StudentT.quantile95(degreesOfFreedom: prior.degreesOfFreedom) * scale * variance.squareRoot()
  }
}
