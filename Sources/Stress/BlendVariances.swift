/// The variances that determine how fast a person's own usual value replaces the population default.
///
/// A person is a draw from the population, a day varies about the usual value of the person, and a minute about its day.
/// The estimate with the smallest mean squared error is then the average of the own value and the population default,
/// weighted by the reciprocals of their variances (James & Stein 1961; Gelman et al., Bayesian Data Analysis, 2013,
/// section 5.4):
///
///     w = T / (T + Sd / n + Sm / m)
///
/// for n days with rest and m resting minutes in total. RMSSD and SDNN are blended as logarithms, the heart rate in bpm.
/// docs/design/baseline.md contains the measurements and the choice of the constants.
///
/// ```swift
/// BlendVariances.rmssd.weight(days: 1, minutes: 3)   // 0.76
/// ```
package struct BlendVariances: Equatable, Sendable {
  /// T: mean squared distance of the usual values of people from the population default.
  package let people: Double
  /// Sd: variance between the days of one person.
  package let days: Double
  /// Sm: variance between the resting minutes of one day.
  package let minutes: Double

  /// Of ln RMSSD: the standard deviation between days is 0.25.
  package static let rmssd = BlendVariances(people: 0.25, days: 0.0625, minutes: 0.05)
  /// Of ln SDNN.
  package static let sdnn = BlendVariances(people: 0.17, days: 0.0625, minutes: 0.07)
  /// Of the heart rate, in bpm squared: the standard deviation between days is 4.5 bpm.
  package static let heartRate = BlendVariances(people: 280, days: 20, minutes: 3)

  package init(people: Double, days: Double, minutes: Double) {
    (self.people, self.days, self.minutes) = (people, days, minutes)
  }

  /// The variances of the logarithm of `metric`.
  package static func hrv(_ metric: HRVMetric) -> BlendVariances {
    switch metric {
    case .rmssd: rmssd
    case .sdnn: sdnn
    }
  }

  /// The weight of the own value after `count` days with `minutes` resting minutes in total, 0 to 1; 0 without any.
  package func weight(days count: Int, minutes total: Int) -> Double {
    guard count > 0, total > 0 else { return 0 }
    return people / (people + days / Double(count) + minutes / Double(total))
  }

  /// The weight of this quantity at the time at which that of RMSSD is `rmssd`, assuming the same ratio of days to minutes.
  ///
  /// The odds of two weights have a constant ratio if the minutes contribute equally little to both.
  func weight(whenRMSSD rmssd: Double) -> Double {
    let odds = (people / days) / (Self.rmssd.people / Self.rmssd.days)
    return odds * rmssd / (odds * rmssd + 1 - rmssd)
  }

  /// The variance of the usual value of a person about a blend in which the own RMSSD has the weight `rmssd`:
  /// 1 / (1 / T + 1 / S) = T (1 - w) for the variance S of the own value.
  func uncertainty(whenRMSSD rmssd: Double) -> Double { people * (1 - weight(whenRMSSD: rmssd)) }
}
