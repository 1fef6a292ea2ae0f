public import HeartRate

/// What a breathing exercise came to; its session holds what it came from.
public struct StoredBreathing: Equatable, Sendable {
  /// The rest before, the breathing, or the rest after. Absent values could not be measured.
  public struct Part: Equatable, Sendable {
    /// In ms.
    public var rmssd: Double?
    /// In ms.
    public var sdnn: Double?
    /// In bpm.
    public var heartRate: Double?
    /// 0 to 100.
    public var stress: Double?
    /// 0 to 1.
    public var confidence: Double?

    public init(
      rmssd: Double? = nil, sdnn: Double? = nil, heartRate: Double? = nil, stress: Double? = nil,
      confidence: Double? = nil
    ) {
      (self.rmssd, self.sdnn, self.heartRate) = (rmssd, sdnn, heartRate)
      (self.stress, self.confidence) = (stress, confidence)
    }
  }

  /// A value with the bounds of its 95 % interval.
  public struct Interval: Equatable, Sendable {
    public var value: Double
    public var low: Double
    public var high: Double

    public init(value: Double, low: Double, high: Double) {
      (self.value, self.low, self.high) = (value, low, high)
    }
  }

  /// Whether RMSSD changed from the rest before to the rest after.
  public enum Changed: String, Sendable, CaseIterable {
    case yes
    case no
    case cannotTell = "cannot tell"

    /// Nil where it cannot be said.
    public var isChange: Bool? {
      switch self {
      case .yes: true
      case .no: false
      case .cannotTell: nil
      }
    }
  }

  public var session: SessionID
  public var profile: String
  /// When the breathing began.
  public var time: WallTime
  /// Its name, or the seconds of its phases.
  public var pattern: String
  /// How many cycles were done, and how many were meant to be.
  public var cycles: Int
  public var plannedCycles: Int
  /// Length of the breathing in seconds.
  public var seconds: Double
  public var before = Part()
  public var during = Part()
  public var after = Part()
  /// 0 to 1, and the amplitude in ms.
  public var coherence: Double?
  public var amplitude: Double?
  public var changed = Changed.cannotTell
  /// RMSSD after over that before.
  public var ratio: Interval?
  public var smallestDetectableRatio: Double?
  /// In breaths per minute.
  public var resonance: Interval?

  public init(
    session: SessionID, profile: String, time: WallTime, pattern: String, cycles: Int, plannedCycles: Int,
    seconds: Double
  ) {
    (self.session, self.profile, self.time, self.pattern) = (session, profile, time, pattern)
    (self.cycles, self.plannedCycles, self.seconds) = (cycles, plannedCycles, seconds)
  }
}
