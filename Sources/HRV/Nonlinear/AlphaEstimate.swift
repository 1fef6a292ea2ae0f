/// DFA alpha1 of the newest beats with its 90 % interval: a measure of the intensity of exercise.
///
/// Alpha1 falls with the intensity. It is about 0.75 at the aerobic and 0.5 at the anaerobic threshold (Rogers et al. 2021;
/// Rogers, Giles, Draper, Mourot & Gronwald 2021, Journal of Functional Morphology and Kinesiology 6:38).
///
/// Alpha1 of two minutes is uncertain, because they contain few boxes of 16 beats. The standard error of ``alpha1`` is c / sqrt(n),
/// with n the mean number of beats that the boxes of a size cover, and c a function of alpha1. It is a fit to simulated white noise,
/// fractional Gaussian noise, autoregressive and fractionally integrated processes of 160 to 360 beats. For a sine in noise, such as
/// strong respiratory sinus arrhythmia, it is larger than the spread. `swift run -c release AlphaFigures` prints the coverage.
///
/// - Complexity: O(beats).
public struct AlphaEstimate: Equatable, Sendable {
  /// The reason why there is no estimate.
  public enum Reason: Error, Equatable, Sendable {
    /// Alpha1 is absent.
    case absent(Absence)
    /// More than ``AlphaThreshold/mostArtefacts`` of the beats, 0 to 1, are not normal.
    case tooManyArtefacts(Double)
  }

  /// The intensity relative to both thresholds. It is near a threshold if the interval contains it.
  public enum Intensity: Equatable, Sendable {
    case belowAerobic, nearAerobic, between, nearAnaerobic, aboveAnaerobic
  }

  /// Length of the window in seconds (Rogers et al. 2021).
  public static let seconds: Int64 = 120
  /// Alpha1 at the anaerobic threshold.
  public static let anaerobic = 0.5
  /// 95 % quantile of the normal distribution.
  private static let quantile = 1.6449
  /// Values of alpha1 for which the standard error was determined.
  private static let range = 0.4...1.5

  public let alpha1: Double
  /// 90 % interval of the mean alpha1 of the process that the beats are a sample of.
  public let interval: ClosedRange<Double>

  /// Estimates alpha1 of `beats`.
  public init(_ beats: some Collection<Beat>) throws(Reason) {
    let artefacts = beats.reduce(0) { $0 + ($1.verdict.isNormal ? 0 : 1) }
    let fraction = beats.isEmpty ? 0 : Double(artefacts) / Double(beats.count)
    guard fraction <= AlphaThreshold.mostArtefacts else { throw .tooManyArtefacts(fraction) }
    let (segments, analysis) = (NNSegments(beats), FluctuationAnalysis())
    switch analysis.exponent(of: segments) {
    case .absent(let absence): throw .absent(absence)
    case .value(let value):
      let error = Self.standardError(of: value, beats: analysis.coveredBeats(of: segments))
      (alpha1, interval) = (value, value - Self.quantile * error...value + Self.quantile * error)
    }
  }

  /// The standard error of alpha1 for boxes that cover `beats` beats.
  static func standardError(of alpha1: Double, beats: Double) -> Double {
    let alpha = min(max(alpha1, range.lowerBound), range.upperBound)
    return (0.236 + alpha * (1.568 - 0.54 * alpha)) / beats.squareRoot()
  }

  public var intensity: Intensity {
    let (aerobic, anaerobic) = (AlphaThreshold.crossing, Self.anaerobic)
    let isAerobicNearer = (alpha1 - aerobic).magnitude < (alpha1 - anaerobic).magnitude
    switch (interval.contains(aerobic), interval.contains(anaerobic)) {
    case (true, true): return isAerobicNearer ? .nearAerobic : .nearAnaerobic
    case (true, false): return .nearAerobic
    case (false, true): return .nearAnaerobic
    case (false, false):
      return alpha1 > aerobic ? .belowAerobic : alpha1 > anaerobic ? .between : .aboveAnaerobic
    }
  }
}
