import RealModule

/// The range in which the stress value of the next minute in the same state lies in 9 of 10 cases, given the current one.
///
/// ln HRV and ln heart rate of the next minute differ from the current ones by draws from Student's t distribution, because
/// a few minutes differ much more than the others. The error of the current window, as in ``StressInterval``, is added to
/// the variation of ln HRV as the square root of the sum of squares. Each bound assumes that both inputs move in the
/// direction that changes the value. 0 and 100 are closed ends: the range of a value at 0 begins there.
///
/// While movement is detected, the same heart gives different intervals at two sensors: the range is wider. At rest it is
/// narrower relative to the person's own baseline than to the population default.
/// docs/design/range.md contains the fit and its coverage on people left out.
///
/// - Complexity: O(1).
public struct StressRange: Equatable, Sendable {
  /// Bounds from 0 to 100; `low` is at most the stress value and `high` at least.
  public let low: Double
  public let high: Double

  /// - Parameters:
  ///   - isMoving: Whether movement or exertion is detected in the window.
  ///   - weight: ``Baseline/weight`` of the baseline of the score.
  public init(_ score: StressScore, _ quality: WindowQuality, isMoving: Bool, weight: Double) {
    self.init(score, quality, isMoving ? .movement : .rest(weight: weight))
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

    /// Between adjacent minutes of one rest, relative to the population default.
    package static let rest = Spread(hrv: 0.145, heartRate: 0.0145)
    /// The factor of ``rest`` with the person's own baseline.
    package static let ownFactor = 0.9
    /// During detected movement, and between two sensors on the same heart.
    package static let movement = Spread(hrv: 0.25, heartRate: 0.025)

    /// Between adjacent minutes of one rest, relative to a baseline in which the own values have `weight`.
    package static func rest(weight: Double) -> Spread {
      rest.scaled(by: 1 - (1 - ownFactor) * min(1, max(0, weight)))
    }

    package func scaled(by factor: Double) -> Spread {
      Spread(hrv: factor * hrv, heartRate: factor * heartRate)
    }
  }
}
