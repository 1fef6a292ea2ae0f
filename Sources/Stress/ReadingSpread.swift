import HRV

/// The variances of readings of one kind in the population, with which a person's own variances are stabilised.
///
/// The own variance is that of few readings and therefore uncertain. It is averaged with the population's, which counts
/// as ``strength`` readings: the posterior mean under a scaled inverse chi-squared prior (Gelman et al., Bayesian Data
/// Analysis, 2013, section 2.6).
struct ReadingSpread: Equatable, Sendable {
  /// Variance of the logarithm between days; of a morning reading with its error.
  let days: Double
  /// Variance of the logarithm between the readings of one day; 0 if a day has one reading.
  let minutes: Double

  static let strength = 6.0
  /// Probability of a reading inside ``interval(mean:variance:days:)``.
  static let coverage = 0.9
  /// Number of days that an interval requires.
  static let leastDays = 5

  /// Readings of one morning each: ln RMSSD has a standard deviation of 0.18.
  static let morning = ReadingSpread(days: 0.0324, minutes: 0)

  /// Minutes at rest.
  static func rest(_ metric: HRVMetric) -> ReadingSpread {
    let variances = BlendVariances.hrv(metric)
    return ReadingSpread(days: variances.days, minutes: variances.minutes)
  }

  /// The readings of a day: number, and sum of squared deviations of their logarithms from their mean.
  struct Day: Equatable, Sendable {
    var readings = 1
    var squares = 0.0
  }

  /// The interval that contains the next reading in 9 of 10 cases, in the unit of the logarithm.
  ///
  /// The prediction interval of Student's t, mean ± t sqrt(s² + s_d² / n), for n days. s_d² is the variance between the
  /// values of days, s² that of a single reading: s_d² plus the part of the variance within days that the value of a day
  /// averages out. With one reading a day, both are equal and the interval is mean ± t s sqrt(1 + 1 / n).
  /// - Parameters:
  ///   - mean: of the values of the days.
  ///   - variance: of the values of the days, over n - 1.
  ///   - days: the readings of each of the days.
  /// - Returns: No spread below ``leastDays`` days.
  func interval(mean: Double, variance: Double, days: [Day]) -> ClosedRange<Double>? {
    guard days.count >= Self.leastDays else { return nil }
    let (count, freedom) = (Double(days.count), Double(days.count) - 1)
    let inverse = days.reduce(0) { $0 + 1 / Double($1.readings) } / count
    let ofDay = Self.pooled(variance, freedom, with: self.days + minutes * inverse)
    let repeated = Double(days.reduce(0) { $0 + $1.readings - 1 })
    let squares = days.reduce(0) { $0 + $1.squares }
    let within = Self.pooled(repeated > 0 ? squares / repeated : 0, repeated, with: minutes)
    let ofReading = ofDay + within * (1 - inverse)
    let t = StudentT.quantile(1 - Self.coverage, degreesOfFreedom: Self.strength + freedom)
    let half = t * (ofReading + ofDay / count).squareRoot()
    return mean - half...mean + half
  }

  private static func pooled(_ own: Double, _ freedom: Double, with population: Double) -> Double {
    (strength * population + freedom * own) / (strength + freedom)
  }
}
