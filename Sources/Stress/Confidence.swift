/// The confidence in a measurement: a product of factors from 0 to 1, each with its own reason.
///
/// The calibrated factors together are the probability that the stress value is within 10 points of the value
/// that the undisturbed beats of the same window would have given. The rule factors (low HRV, heart rate,
/// sample count, baseline, exertion) lower it further, because the value is then less meaningful even if it is exact.
/// A factor that cannot be determined is absent.
public struct Confidence: Equatable, Sendable {
  /// A reason for lower confidence.
  public enum Factor: String, Sendable, CaseIterable {
    /// HRV is far below the baseline, where sensor noise has the largest effect.
    case lowHRV = "low_hrv"
    /// The heart rate is far below the resting rate, or above 180 bpm.
    case heartRateRange = "heart_rate_range"
    /// Only a few normal beats.
    case sampleCount = "sample_count"
    /// Beats that are not normal. Up to engine version 2.
    case artefacts = "artefacts"
    /// Large differences between successive intervals, as in atrial fibrillation.
    case rhythm = "rhythm"
    /// Lost or duplicate notifications. Up to engine version 2.
    case coverage = "coverage"
    /// The window is not complete yet. Up to engine version 2.
    case windowFill = "window_fill"
    /// The sensor lost contact with the skin.
    case contact = "contact"
    /// The sensor does not send beat-to-beat RR intervals.
    case sensor = "sensor"
    /// The baseline consists in part of the population default.
    case baseline = "baseline"
    /// Ectopic beats, and intervals that are too long or short for an unknown reason.
    case abnormalBeats = "abnormal_beats"
    /// Successive differences are missing: lost notifications, excluded beats, or a window that is not complete.
    case lostData = "lost_data"
    /// A few successive differences are much larger than the others.
    case tail = "tail"
    /// The successive differences vary like errors in the time of R peaks.
    case noise = "noise"
    /// The person moved.
    case motion = "motion"
    /// Physical exertion, inferred from the heart rate (``ExertionEstimator``).
    case exertion = "exertion"

    /// Whether no engine since version 3 computes the factor; rows of earlier versions contain it.
    public var isRetired: Bool { self == .artefacts || self == .coverage || self == .windowFill }
  }

  /// The value of each ``Factor``; 1 if it is absent, which spares the product its branches.
  @usableFromInline private(set) var factors = InlineArray<16, Double>(repeating: 1)
  /// Bit mask of the factors that are present.
  private var present: UInt16 = 0

  public init() {}

  /// Computes the four factors that need only the inputs of the score, the number of normal beats, and the weight of the
  /// own values in the baseline. Each of the two numbers can be unknown; the limits of HRV and heart rate are then
  /// those for the population default.
  public init(_ inputs: StressScore.Inputs, goodBeats: Int?, baselineWeight: Double? = nil) {
    setRange(of: inputs, isPersonal: baselineWeight.map { $0 >= Baseline.personalWeight } ?? false)
    self[.sampleCount] = goodBeats.map(ConfidenceCurves.sampleCount)
    self[.baseline] = baselineWeight.map(ConfidenceCurves.baseline)
  }

  /// Sets the factors for a low HRV and for the range of the heart rate: relative to the baseline if it is personal.
  @inline(__always)
  mutating func setRange(of inputs: StressScore.Inputs?, isPersonal: Bool) {
    guard let inputs else {
      self[.lowHRV] = nil
      self[.heartRateRange] = nil
      return
    }
    if isPersonal {
      self[.lowHRV] = ConfidenceCurves.lowHRV(inputs.hrv, ofUsual: inputs.baselineHRV)
      self[.heartRateRange] = ConfidenceCurves.heartRateRange(
        inputs.heartRate, resting: inputs.restingHeartRate)
    } else {
      self[.lowHRV] = ConfidenceCurves.lowHRV(inputs.hrv)
      self[.heartRateRange] = ConfidenceCurves.heartRateRange(inputs.heartRate)
    }
  }

  /// The factor from 0 to 1, if it is known.
  public subscript(factor: Factor) -> Double? {
    @inline(__always) get { present & factor.bit == 0 ? nil : factors[factor.place] }
    @inline(__always) set {
      factors[factor.place] = newValue ?? 1
      present = newValue == nil ? present & ~factor.bit : present | factor.bit
    }
  }

  /// Replaces the value of a factor that is already present.
  @inline(__always)
  mutating func update(_ factor: Factor, _ value: Double) { factors[factor.place] = value }

  /// The product of all known factors, 0 to 1.
  @inlinable @inline(__always) public var value: Double {
    // Two independent chains of multiplications, which take half the time of one.
    var even = 1.0
    var odd = 1.0
    for place in stride(from: 0, to: factors.count, by: 2) {
      even *= factors[place]
      odd *= factors[place + 1]
    }
    return even * odd
  }

  /// The known factors, in the order of ``Factor``.
  public var known: [(factor: Factor, value: Double)] {
    Factor.allCases.compactMap { factor in self[factor].map { (factor, $0) } }
  }

  public static func == (a: Confidence, b: Confidence) -> Bool {
    Factor.allCases.allSatisfy { a[$0] == b[$0] }
  }
}

extension Confidence.Factor {
  fileprivate var bit: UInt16 { 1 &<< UInt16(place) }

  fileprivate var place: Int {
    switch self {
    case .lowHRV: 0
    case .heartRateRange: 1
    case .sampleCount: 2
    case .artefacts: 3
    case .coverage: 4
    case .windowFill: 5
    case .contact: 6
    case .sensor: 7
    case .baseline: 8
    case .rhythm: 9
    case .abnormalBeats: 10
    case .lostData: 11
    case .tail: 12
    case .noise: 13
    case .exertion: 14
    case .motion: 15
    }
  }

  /// The reason as text, for a factor below 1.
  public var reason: String {
    switch self {
    case .lowHRV: "HRV is far below the baseline"
    case .heartRateRange: "the heart rate is unusually low or high"
    case .sampleCount: "few normal beats"
    case .artefacts: "beats that are not normal"
    case .rhythm: "the rhythm is irregular, so HRV does not indicate stress"
    case .coverage: "notifications lost or duplicated"
    case .windowFill: "the window is not full"
    case .contact: "the sensor lost contact with the skin"
    case .sensor: "the strap may average or repeat RR intervals"
    case .baseline: "few own resting days in the baseline"
    case .abnormalBeats: "beats that are not normal"
    case .lostData: "data are missing from the window"
    case .tail: "a few differences between intervals are much larger than the others"
    case .noise: "the intervals vary like errors in the detection of heart beats"
    case .motion: "movement during the window"
    case .exertion: "the heart rate is that of physical exertion, or of recovery from it"
    }
  }
}

extension Confidence.Factor {
  /// What the factor is about.
  public var subject: String {
    switch self {
    case .lowHRV: "level of HRV"
    case .heartRateRange: "range of the heart rate"
    case .sampleCount: "number of normal beats"
    case .artefacts: "proportion of normal beats"
    case .rhythm: "regularity of the rhythm"
    case .coverage: "complete data"
    case .windowFill: "time collected"
    case .contact: "contact with the skin"
    case .sensor: "type of sensor"
    case .baseline: "age of the baseline"
    case .abnormalBeats: "proportion of normal beats"
    case .lostData: "data in the window"
    case .tail: "size of single differences"
    case .noise: "noise of the differences"
    case .motion: "stillness"
    case .exertion: "rest"
    }
  }
}

extension Confidence {
  /// Whether the heart rate is that of exertion or of recovery from it. The stress value then does not indicate
  /// stress.
  ///
  /// Such measurements do not count as rest, have no category on the screen, and are omitted from trends. False
  /// without the factor.
  public var indicatesExertion: Bool { (self[.exertion] ?? 1) < ExertionEstimator.clear }
}

extension Confidence {
  /// The largest factor `motion` of a window of which at least half is walking or running, and the rest is still.
  package static let locomotion = 0.6

  /// Whether acceleration shows that walking or running, with other movement, took half of the window. Then the stress
  /// value does not indicate stress. False without acceleration.
  public var indicatesLocomotion: Bool { (self[.motion] ?? 1) <= Self.locomotion }
}

extension Confidence {
  /// Whether the rhythm is irregular, as in atrial fibrillation, so that HRV is no measure of stress: such a stress value has no
  /// category. False without the factor, which is below 0.5 if more than 37.5 % of the successive differences exceed a
  /// tenth (``ConfidenceCurves/rhythm(_:)``).
  public var indicatesIrregularRhythm: Bool { (self[.rhythm] ?? 1) < Self.leastRegularRhythm }

  package static let leastRegularRhythm = 0.5

  /// Whether the stress value of this confidence is a level: at rest, and in a regular rhythm.
  public var statesLevel: Bool { !indicatesLocomotion && !indicatesExertion && !indicatesIrregularRhythm }
}
