import RealModule

/// The range in which the stress value of the next minute in the same state lies in 9 of 10 cases, given the current one.
///
/// ln HRV and ln heart rate of the next minute differ from the current ones by draws from Student's t distribution, because
/// a few minutes differ much more than the others. The error of the current window, as in ``StressInterval``, is added to
/// the variation of ln HRV as the square root of the sum of squares. Each bound assumes that both inputs move in the
/// direction that changes the value. 0 and 100 are closed ends: the range of a value at 0 begins there.
///
/// While movement is detected, the same heart gives different intervals at two sensors: the range is wider.
/// docs/design/range.md contains the fit and its coverage on people left out.
///
/// - Complexity: O(1).
public struct StressRange: Equatable, Sendable {
  /// Bounds from 0 to 100; `low` is at most the stress value and `high` at least.
  public let low: Double
  public let high: Double

  /// - Parameter isMoving: Whether movement or exertion is detected in the window.
  public init(_ score: StressScore, _ quality: WindowQuality, isMoving: Bool) {
    self.init(score, quality, isMoving ? .movement : .rest)
  }

  /// The range with another spread, as fits need it.
  package init(_ score: StressScore, _ quality: WindowQuality, _ spread: Spread) {
    let (hrv, rate) = (Self.quantile * spread.hrv, Self.quantile * spread.heartRate)
    let (fall, rise) = StressInterval.errors(quality)
    func widened(_ error: Double) -> Double { (error * error + hrv * hrv).squareRoot() }
    low = min(
      score.value, score.value(hrvTimes: .exp(widened(rise)), heartRateTimes: .exp(-rate)))
    high = max(
      score.value, score.value(hrvTimes: .exp(-widened(fall)), heartRateTimes: .exp(rate)))
  }

  /// 0.95 quantile of Student's t distribution with four degrees of freedom.
  package static let quantile = 2.131846786326649
}

extension StressRange {
  /// The scales of the distributions of the differences between adjacent minutes.
  package struct Spread: Equatable, Sendable {
    /// Of ln HRV.
    package var hrv: Double
    /// Of ln heart rate.
    package var heartRate: Double

    package init(hrv: Double, heartRate: Double) { (self.hrv, self.heartRate) = (hrv, heartRate) }

    /// Between adjacent minutes of one rest.
    package static let rest = Spread(hrv: 0.145, heartRate: 0.0145)
    /// During detected movement, and between two sensors on the same heart.
    package static let movement = Spread(hrv: 0.25, heartRate: 0.025)
  }
}
