import HRV

/// How far heart rate and SDNN of two rests differ when nothing changed: 95 % intervals of differences, where too few
/// windows were measured to tell it from themselves.
///
/// The standard deviations are those of pairs of minutes of one undisturbed rest, and longer rests differ less by the same
/// law as ln RMSSD does (``RestVariability/variance(seconds:)``); docs/breathing.md has the figures. As well known as the
/// prior of ln RMSSD: Student's t with its degrees of freedom.
public enum RestInterval {
  /// Of the difference of mean heart rate of two windows of 60 s, in bpm.
  public static let heartRateSD = 1.6
  /// Of the difference of ln SDNN of two windows of 60 s.
  public static let lnSDNNSD = 0.37

  /// Half of the 95 % interval of a difference with the standard deviation `deviation` for minutes, between rests of which
  /// normal beats cover so many seconds.
  public static func halfWidth(_ deviation: Double, seconds a: Double, _ b: Double) -> Double {
    let prior = RestVariability.prior
    let variance = prior.variance(seconds: a) + prior.variance(seconds: b)
    let scale = deviation / prior.differenceSD
    return StudentT.quantile95(degreesOfFreedom: prior.degreesOfFreedom) * scale * variance.squareRoot()
  }
}
