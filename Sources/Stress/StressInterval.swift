import RealModule

/// The interval that contains, in 9 of 10 cases, the stress value of the undisturbed beats of the same window.
///
/// It consists of a fall and a rise of ln HRV, each a sum of components that are proportional to the
/// quantities of ``WindowQuality``. It is asymmetric: most disturbances raise HRV, so that the undisturbed
/// HRV is lower and the stress higher. docs/design/confidence.md describes the fit and its coverage.
public struct StressInterval: Equatable, Sendable {
  /// Bounds from 0 to 100; `low` is at most the stress value and `high` at least.
  public let low: Double
  public let high: Double

  /// The interval of a score whose window has this quality.
  public init(_ score: StressScore, _ quality: WindowQuality) {
    self.init(score, fall: Self.total(\.fall, quality), rise: Self.total(\.rise, quality))
  }

  private init(_ score: StressScore, fall: Double, rise: Double) {
    low = min(score.value, score.value(hrvTimes: Double.exp(rise)))
    high = max(score.value, score.value(hrvTimes: Double.exp(-fall)))
  }

  /// How far ln HRV of the undisturbed beats can be below that of a window of this quality, and how far above.
  static func errors(_ quality: WindowQuality) -> (fall: Double, rise: Double) {
    (total(\.fall, quality), total(\.rise, quality))
  }
}

extension StressScore {
  /// The value with the HRV and the heart rate multiplied by these factors.
  func value(hrvTimes factor: Double, heartRateTimes rate: Double = 1) -> Double {
    var inputs = inputs
    inputs.hrv *= factor
    inputs.heartRate *= rate
    return StressScore(checked: inputs).value
  }
}

extension StressInterval {
  /// The contribution of one quantity to the interval, as a change of ln HRV.
  public struct Component: Sendable {
    /// The quantity. The part that every window has is of none.
    public let quantity: WindowQuality.Quantity?
    /// How far the HRV of the undisturbed beats can be below the measured one.
    public let fall: Double
    /// How far it can be above.
    public let rise: Double
  }

  /// The components for a window of this quality, without those that are 0.
  public static func components(_ quality: WindowQuality) -> [Component] {
    terms.map { term in
      let excess = term.excess(quality)
      return Component(quantity: term.quantity, fall: term.fall * excess, rise: term.rise * excess)
    }
    .filter { $0.fall > 0 || $0.rise > 0 }
  }

  private static func total(_ side: KeyPath<Term, Double>, _ quality: WindowQuality) -> Double {
    terms.reduce(0) { $0 + $1[keyPath: side] * $1.excess(quality) }
  }

  private struct Term: Sendable {
    var quantity: WindowQuality.Quantity?
    /// The value of the quantity that undisturbed windows reach.
    var usual = 0.0
    var fall = 0.0
    var rise = 0.0

    func excess(_ quality: WindowQuality) -> Double { quantity.map { max(0, quality[$0] - usual) } ?? 1 }
  }

  /// The result of the fit (docs/design/confidence.md).
  private static let terms = [
    Term(fall: 0.025, rise: 0.02),
    Term(quantity: .tail, usual: 0.06, fall: 2.8),
    Term(quantity: .noise, usual: 0.27, fall: 3.4, rise: 0.5),
    Term(quantity: .abnormalBeats, fall: 1.2),
    Term(quantity: .contactLost, fall: 1, rise: 1),
    Term(quantity: .lostData, fall: 1, rise: 1.8),
    Term(quantity: .duplicates, rise: 0.5),
  ]
}
