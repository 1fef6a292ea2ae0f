/// A person's usual values at rest, relative to which the stress score is computed.
public struct Baseline: Equatable, Sendable {
  /// The origin of the values.
  public enum Origin: String, Sendable, CaseIterable {
    /// The population default, used until the person has resting windows.
    case populationDefault = "prior"
    /// Estimated from the person's own resting windows, blended with the population default by ``weight``.
    case learned
    /// Configured manually.
    case manual
  }

  /// Usual RMSSD in ms.
  public var rmssd: Double
  /// Usual SDNN in ms.
  public var sdnn: Double
  /// Resting heart rate in bpm.
  public var restingHeartRate: Double
  /// Number of days in the estimate; mature from 30 days.
  public var days: Double
  /// The origin of the values.
  public var origin: Origin
  /// Weight of the person's own RMSSD in the blend with the population default, 0 to 1 (``BlendVariances``).
  public var weight: Double

  /// - Parameter weight: Omitted for baselines up to engine version 3, whose weight was days / 30.
  public init(
    rmssd: Double, sdnn: Double, restingHeartRate: Double, days: Double, origin: Origin, weight: Double? = nil
  ) {
    self.rmssd = rmssd
    self.sdnn = sdnn
    self.restingHeartRate = restingHeartRate
    self.days = days
    self.origin = origin
    self.weight = weight ?? Self.maturity(days: days)
  }

  /// The population default: 50 ms and 60 bpm.
  public static let populationDefault = Baseline(
    rmssd: 50, sdnn: 50, restingHeartRate: 60, days: 0, origin: .populationDefault)

  /// Number of days from which a baseline is mature.
  public static let matureDays = 30.0

  /// Progress of the estimate, 0 to 1: days / 30. Up to engine version 3 also its weight.
  public var maturity: Double { Self.maturity(days: days) }

  /// The maturity of an estimate from this number of days.
  public static func maturity(days: Double) -> Double { min(1, max(0, days) / matureDays) }

  /// Weight from which the values count as the person's own.
  public static let personalWeight = 0.5

  /// Whether the person's own values have at least half of the weight, so that limits relative to the baseline apply to
  /// this person.
  public var isPersonal: Bool { weight >= Self.personalWeight }

  /// ``weight`` in whole percent, as it is displayed.
  public var weightPercent: Int { Int((100 * min(1, max(0, weight))).rounded()) }

  /// Marks the values as set manually: mature, with the full weight.
  public mutating func markManual() { (days, weight, origin) = (Self.matureDays, 1, .manual) }

  /// Returns the usual value of `metric` in ms.
  public func hrv(_ metric: HRVMetric) -> Double {
    switch metric {
    case .rmssd: rmssd
    case .sdnn: sdnn
    }
  }
}
