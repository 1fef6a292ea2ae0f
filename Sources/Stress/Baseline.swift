/// A person's usual values at rest, relative to which the stress score is computed.
public struct Baseline: Equatable, Sendable {
  /// The origin of the values.
  public enum Origin: String, Sendable, CaseIterable {
    /// The population default, used until the person has resting windows.
    case populationDefault = "prior"
    /// Estimated from the person's own resting windows, blended with the population default according to the
    /// number of days.
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

  public init(rmssd: Double, sdnn: Double, restingHeartRate: Double, days: Double, origin: Origin) {
    self.rmssd = rmssd
    self.sdnn = sdnn
    self.restingHeartRate = restingHeartRate
    self.days = days
    self.origin = origin
  }

  /// The population default: 50 ms and 60 bpm.
  public static let populationDefault = Baseline(
    rmssd: 50, sdnn: 50, restingHeartRate: 60, days: 0, origin: .populationDefault)

  /// Number of days from which a baseline is mature.
  public static let matureDays = 30.0

  /// Returns the usual value of `metric` in ms.
  public func hrv(_ metric: HRVMetric) -> Double {
    switch metric {
    case .rmssd: rmssd
    case .sdnn: sdnn
    }
  }
}
