/// How far a measurement can be trusted: a product of factors from 0 to 1, each with its own reason.
///
/// A clean, full window against a mature baseline has 1.0 in all of them but the three about HRV, heart rate and
/// sample count.
public struct Confidence: Equatable, Sendable {
  /// What lowers confidence.
  public enum Factor: String, Sendable, CaseIterable {
    /// HRV is below 20 ms, where noise of the sensor weighs most.
    case lowHRV = "low_hrv"
    /// The heart rate is below 40 or above 180 bpm.
    case heartRateRange = "heart_rate_range"
    /// Few good beats.
    case sampleCount = "sample_count"
    /// Beats that are not normal.
    case artefacts = "artefacts"
    /// The rhythm jumps from beat to beat, as in atrial fibrillation.
    case rhythm = "rhythm"
    /// Notifications lost, or received twice.
    case coverage = "coverage"
    /// The window is not full yet.
    case windowFill = "window_fill"
    /// The sensor lost contact with the skin.
    case contact = "contact"
    /// The sensor does not send beat-to-beat RR intervals.
    case sensor = "sensor"
    /// The baseline is younger than 30 days.
    case baseline = "baseline"
  }

  /// One for each ``Factor``; 1 where it is absent, so that the product needs no questions.
  @usableFromInline private(set) var factors = InlineArray<10, Double>(repeating: 1)
  /// One bit for each factor that is present.
  private var present: UInt16 = 0

  public init() {}

  /// The three factors that need nothing but the numbers: HRV in ms, heart rate in bpm, and how many good beats
  /// they were computed from (nil where that is not known).
  public init(hrv: Double, heartRate: Double, goodBeats: Int?) {
    self[.lowHRV] = ConfidenceCurves.lowHRV(hrv)
    self[.heartRateRange] = ConfidenceCurves.heartRateRange(heartRate)
    self[.sampleCount] = goodBeats.map(ConfidenceCurves.sampleCount)
  }

  /// A factor from 0 to 1; absent where it could not be known.
  public subscript(factor: Factor) -> Double? {
    @inline(__always) get { present & factor.bit == 0 ? nil : factors[factor.place] }
    @inline(__always) set {
      factors[factor.place] = newValue ?? 1
      present = newValue == nil ? present & ~factor.bit : present | factor.bit
    }
  }

  /// The product of all known factors, 0 to 1.
  @inlinable @inline(__always) public var value: Double {
    // In two chains, of which neither waits for the other: half the time.
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
    }
  }

  /// The reason in words, for when the factor is below 1.
  public var reason: String {
    switch self {
    case .lowHRV: "HRV is below 20 ms"
    case .heartRateRange: "heart rate is below 40 or above 180 bpm"
    case .sampleCount: "few good beats"
    case .artefacts: "beats that are not normal"
    case .rhythm: "the rhythm is irregular: HRV says nothing about stress in it"
    case .coverage: "notifications lost or doubled"
    case .windowFill: "the window is still filling"
    case .contact: "the sensor lost contact with the skin"
    case .sensor: "the sensor averages or repeats RR intervals instead of sending each beat"
    case .baseline: "the baseline is younger than 30 days"
    }
  }
}
