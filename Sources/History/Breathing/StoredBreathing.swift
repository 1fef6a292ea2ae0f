package import HeartRate

/// The stored result of a breathing exercise. Its session contains the beats.
package struct StoredBreathing: Equatable, Sendable {
  /// The rest before, the breathing, or the rest after. A value that could not be computed is nil.
  package struct Part: Equatable, Sendable {
    /// In ms.
    package var rmssd: Double?
    /// In ms.
    package var sdnn: Double?
    /// In bpm.
    package var heartRate: Double?
    /// 0 to 100.
    package var stress: Double?
    /// 0 to 1.
    package var confidence: Double?

    package init(
      rmssd: Double? = nil, sdnn: Double? = nil, heartRate: Double? = nil, stress: Double? = nil,
      confidence: Double? = nil
    ) {
      (self.rmssd, self.sdnn, self.heartRate) = (rmssd, sdnn, heartRate)
      (self.stress, self.confidence) = (stress, confidence)
    }
  }

  /// A value with the bounds of its 95 % confidence interval.
  package struct Interval: Equatable, Sendable {
    package var value: Double
    package var low: Double
    package var high: Double

    package init(value: Double, low: Double, high: Double) {
      (self.value, self.low, self.high) = (value, low, high)
    }
  }

  /// Whether RMSSD changed between the rest before and the rest after.
  package enum Changed: String, Sendable, CaseIterable {
    case yes
    case no
    case cannotTell = "cannot tell"

    /// Unknown if it cannot be determined.
    package var isChange: Bool? {
      switch self {
      case .yes: true
      case .no: false
      case .cannotTell: nil
      }
    }
  }

  package var session: SessionID
  package var profile: String
  /// The start of the breathing.
  package var time: WallTime
  /// The name of the pattern, or the seconds of its phases.
  package var pattern: String
  /// Number of completed cycles.
  package var cycles: Int
  /// Number of planned cycles.
  package var plannedCycles: Int
  /// Length of the breathing in seconds.
  package var seconds: Double
  package var before = Part()
  package var during = Part()
  package var after = Part()
  /// 0 to 1.
  package var coherence: Double?
  /// Amplitude of the respiratory sinus arrhythmia in ms.
  package var amplitude: Double?
  package var changed = Changed.cannotTell
  /// RMSSD after the breathing divided by RMSSD before it.
  package var ratio: Interval?
  package var smallestDetectableRatio: Double?
  /// The resonance frequency in breaths per minute.
  package var resonance: Interval?
  /// Whether its session is one of the simulated strap, as the history states.
  package internal(set) var isSimulated = false

  package init(
    session: SessionID, profile: String, time: WallTime, pattern: String, cycles: Int, plannedCycles: Int,
    seconds: Double
  ) {
    (self.session, self.profile, self.time, self.pattern) = (session, profile, time, pattern)
    (self.cycles, self.plannedCycles, self.seconds) = (cycles, plannedCycles, seconds)
  }
}
