public import HRV
import RealModule

/// A stress score from 0 to 100, with its inputs and components.
///
///     nHRV = (baseline HRV - HRV) / baseline HRV            nHR = (HR - resting HR) / resting HR
///     hrvComponent = clamp(nHRV, 0, 1) ^ 0.8                hrComponent = max(0, atan(2 nHR) / (pi / 2))
///     stress = clamp(100 (0.7 hrvComponent + 0.3 hrComponent), 0, 100)
///
/// An HRV above the baseline and a heart rate below the resting heart rate contribute 0.
public struct StressScore: Equatable, Sendable {
  public struct Inputs: Equatable, Sendable {
    /// HRV in ms: RMSSD, or SDNN by configuration; at least 0.
    public var hrv: Double
    /// Mean heart rate in bpm, above 0.
    public var heartRate: Double
    /// The person's usual HRV at rest in ms, above 0.
    public var baselineHRV: Double
    /// The person's resting heart rate in bpm, above 0.
    public var restingHeartRate: Double

    public init(hrv: Double, heartRate: Double, baselineHRV: Double, restingHeartRate: Double) {
      self.hrv = hrv
      self.heartRate = heartRate
      self.baselineHRV = baselineHRV
      self.restingHeartRate = restingHeartRate
    }
  }

  /// An input that does not permit a score, with its name and value.
  public struct InputError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Input: String, Sendable {
      case hrv = "HRV"
      case heartRate = "heart rate"
      case baselineHRV = "baseline HRV"
      case restingHeartRate = "resting heart rate"
    }

    public var input: Input
    public var value: Double

    public var description: String {
      let unit = input == .hrv || input == .baselineHRV ? "ms" : "bpm"
      let bound = input == .hrv ? "0 \(unit) or more" : "more than 0 \(unit)"
      return "\(input.rawValue) is \(value) \(unit); it must be a number, \(bound)"
    }
  }

  public let inputs: Inputs
  /// The score, 0 to 100.
  public let value: Double
  /// HRV component, 0 to 1, with a weight of 0.7.
  public let hrvComponent: Double
  /// Heart rate component, 0 to 1, with a weight of 0.3.
  public let heartRateComponent: Double

  public static let hrvWeight = 0.7
  public static let heartRateWeight = 0.3

  /// Computes the score.
  /// - Throws: ``InputError`` with the first input that is not finite or out of range.
  public init(_ inputs: Inputs) throws(InputError) {
    try Self.check(inputs)
    self.init(checked: inputs)
  }

  /// Computes the score of inputs that are known to be valid.
  @inline(__always)
  init(checked inputs: Inputs) {
    self.inputs = inputs
    (hrvComponent, heartRateComponent) = (inputs.hrvComponent, inputs.heartRateComponent)
    let weighted = Self.hrvWeight * hrvComponent + Self.heartRateWeight * heartRateComponent
    value = min(max(100 * weighted, 0), 100)
  }

  /// (baseline HRV - HRV) / baseline HRV; negative if HRV exceeds the baseline.
  public var normalisedHRV: Double { inputs.normalisedHRV }
  /// (heart rate - resting heart rate) / resting heart rate; negative below the resting heart rate.
  public var normalisedHeartRate: Double { inputs.normalisedHeartRate }

  /// How far HRV exceeds the HRV at which the stress value is 10 points higher, as a fraction of the latter: 0.09 at the
  /// baseline, where the value depends most on HRV, and 19 where it depends little.
  var hrvMargin: Double {
    let component = hrvComponent + 0.1 / Self.hrvWeight
    guard component < 1, inputs.hrv > 0 else { return Self.largestMargin }
    // The inverse of the power 0.8 is the power 1.25.
    let limit = inputs.baselineHRV * (1 - component * component.squareRoot().squareRoot())
    return min(Self.largestMargin, inputs.hrv / limit - 1)
  }

  private static let largestMargin = 19.0

  public var category: StressCategory { StressCategory(score: value) }

  private static func check(_ inputs: Inputs) throws(InputError) {
    guard inputs.hrv.isFinite, inputs.hrv >= 0 else { throw InputError(input: .hrv, value: inputs.hrv) }
    try checkPositive(.heartRate, inputs.heartRate)
    try checkPositive(.baselineHRV, inputs.baselineHRV)
    try checkPositive(.restingHeartRate, inputs.restingHeartRate)
  }

  private static func checkPositive(_ input: InputError.Input, _ value: Double) throws(InputError) {
    guard value.isFinite, value > 0 else { throw InputError(input: input, value: value) }
  }
}

extension StressScore.Inputs {
  fileprivate var normalisedHRV: Double { (baselineHRV - hrv) / baselineHRV }
  fileprivate var normalisedHeartRate: Double { (heartRate - restingHeartRate) / restingHeartRate }
  // Returns early if the component is 0, to avoid the power and the arc tangent.
  fileprivate var hrvComponent: Double {
    hrv < baselineHRV ? Double.pow(min(normalisedHRV, 1), 0.8) : 0
  }
  fileprivate var heartRateComponent: Double {
    heartRate > restingHeartRate ? Double.atan(2 * normalisedHeartRate) / (Double.pi / 2) : 0
  }
}

/// The HRV metric of the score.
public enum HRVMetric: String, Sendable, CaseIterable {
  case rmssd
  case sdnn

  /// Returns the metric in ms over the beats in `sums`, if there are enough.
  @inline(__always)
  public func value(_ sums: NNSums) -> Double? {
    switch self {
    case .rmssd: sums.rmssd
    case .sdnn: sums.sdnn
    }
  }
}
