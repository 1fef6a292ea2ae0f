/// What is usual for one person at rest. Stress is measured against it.
public struct Baseline: Equatable, Sendable {
  /// Where it comes from.
  public enum Origin: String, Sendable, CaseIterable {
    /// Nothing is known of the person yet: the same for everyone.
    case prior
    /// From the person's own resting windows, blended with the prior by the days seen.
    case learned
    /// Set by hand.
    case manual
  }

  /// Usual RMSSD in ms.
  public var rmssd: Double
  /// Usual SDNN in ms.
  public var sdnn: Double
  /// Resting heart rate in bpm.
  public var restingHeartRate: Double
  /// Days that it was learned from; it is mature at 30.
  public var days: Double
  /// Where it comes from.
  public var origin: Origin

  public init(rmssd: Double, sdnn: Double, restingHeartRate: Double, days: Double, origin: Origin) {
    self.rmssd = rmssd
    self.sdnn = sdnn
    self.restingHeartRate = restingHeartRate
    self.days = days
    self.origin = origin
  }

  /// The baseline of a person of whom nothing is known: 50 ms and 60 bpm.
  public static let prior = Baseline(rmssd: 50, sdnn: 50, restingHeartRate: 60, days: 0, origin: .prior)

  /// Days after which a baseline is mature.
  public static let matureDays = 30.0

  /// The usual value of `metric` in ms.
  public func hrv(_ metric: HRVMetric) -> Double {
    switch metric {
    case .rmssd: rmssd
    case .sdnn: sdnn
    }
  }
}
