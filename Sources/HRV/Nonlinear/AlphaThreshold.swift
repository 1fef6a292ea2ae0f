/// The heart rate at which DFA alpha1 falls to 0.75 during exercise of increasing intensity, an estimate of the aerobic
/// threshold (Rogers et al. 2021).
///
/// Alpha1 is regressed on the heart rate by least squares, over the windows in which it is between 0.5 and 1.0, where
/// the relation is nearly linear. Windows with more than 5 % of artefacts are excluded, because artefacts raise alpha1
/// (Rogers et al. 2021 limit them to 5 %).
public struct AlphaThreshold: Equatable, Sendable {
  /// A window of the exercise.
  public struct Window: Equatable, Sendable {
    /// Mean heart rate in bpm.
    public var heartRate: Double
    public var alpha1: Double
    /// Fraction of beats that are not normal, 0 to 1.
    public var artefactFraction: Double

    public init(heartRate: Double, alpha1: Double, artefactFraction: Double) {
      (self.heartRate, self.alpha1, self.artefactFraction) = (heartRate, alpha1, artefactFraction)
    }
  }

  /// The reason why there is no threshold.
  public enum Reason: Error, Equatable, Sendable {
    /// Fewer windows than needed have alpha1 between 0.5 and 1.0.
    case tooFewWindows(found: Int, needed: Int)
    /// Alpha1 does not fall with the heart rate.
    case notFalling
    /// Alpha1 does not cross 0.75 within the observed heart rates.
    case notCrossed
  }

  /// Alpha1 at the threshold.
  public static let crossing = 0.75
  /// Alpha1 of the windows in the regression.
  static let range = 0.5...1.0
  /// Maximum fraction of beats that are not normal.
  public static let mostArtefacts = 0.05
  /// Minimum number of windows.
  public static let fewestWindows = 4

  /// Heart rate at the threshold in bpm.
  public let heartRate: Double
  /// Change of alpha1 per bpm; negative.
  public let slope: Double
  /// Fraction of the variance of alpha1 that the line explains, 0 to 1.
  public let rSquared: Double
  /// Number of windows in the regression.
  public let windows: Int

  /// Estimates the threshold.
  public init(_ windows: [Window]) throws(Reason) {
    let used = windows.filter {
      Self.range.contains($0.alpha1) && $0.artefactFraction <= Self.mostArtefacts
    }
    guard used.count >= Self.fewestWindows else {
      throw .tooFewWindows(found: used.count, needed: Self.fewestWindows)
    }
    let line = Self.line(used)
    guard line.slope < 0 else { throw .notFalling }
    heartRate = line.meanRate + (Self.crossing - line.meanAlpha) / line.slope
    (slope, rSquared, self.windows) = (line.slope, line.rSquared, used.count)
    let rates = used.map(\.heartRate)
    guard let low = rates.min(), let high = rates.max(), (low...high).contains(heartRate) else {
      throw .notCrossed
    }
  }

  private static func line(
    _ windows: [Window]
  ) -> (slope: Double, meanRate: Double, meanAlpha: Double, rSquared: Double) {
    let count = Double(windows.count)
    let meanRate = windows.reduce(0) { $0 + $1.heartRate } / count
    let meanAlpha = windows.reduce(0) { $0 + $1.alpha1 } / count
    var (rates, alphas, products) = (0.0, 0.0, 0.0)
    for window in windows {
      let (rate, alpha) = (window.heartRate - meanRate, window.alpha1 - meanAlpha)
      rates += rate * rate
      alphas += alpha * alpha
      products += rate * alpha
    }
    let slope = rates > 0 ? products / rates : 0
    return (slope, meanRate, meanAlpha, alphas > 0 ? slope * products / alphas : 0)
  }
}
