package import HeartRate

/// What a breathing exercise came to; its session holds what it came from.
package struct StoredBreathing: Equatable, Sendable {
  /// The rest before, the breathing, or the rest after. Absent values could not be measured.
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

  /// A value with the bounds of its 95 % interval.
  package struct Interval: Equatable, Sendable {
    package var value: Double
    package var low: Double
    package var high: Double

    package init(value: Double, low: Double, high: Double) {
      (self.value, self.low, self.high) = (value, low, high)
    }
  }

  /// Whether RMSSD changed from the rest before to the rest after.
  package enum Changed: String, Sendable, CaseIterable {
    case yes
    case no
    case cannotTell = "cannot tell"

    /// Nil where it cannot be said.
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
  /// When the breathing began.
  package var time: WallTime
  /// Its name, or the seconds of its phases.
  package var pattern: String
  /// How many cycles were done, and how many were meant to be.
  package var cycles: Int
  package var plannedCycles: Int
  /// Length of the breathing in seconds.
  package var seconds: Double
  package var before = Part()
  package var during = Part()
  package var after = Part()
  /// 0 to 1, and the amplitude in ms.
  package var coherence: Double?
  package var amplitude: Double?
  package var changed = Changed.cannotTell
  /// RMSSD after over that before.
  package var ratio: Interval?
  package var smallestDetectableRatio: Double?
  /// In breaths per minute.
  package var resonance: Interval?

  package init(
    session: SessionID, profile: String, time: WallTime, pattern: String, cycles: Int, plannedCycles: Int,
    seconds: Double
  ) {
    (self.session, self.profile, self.time, self.pattern) = (session, profile, time, pattern)
    (self.cycles, self.plannedCycles, self.seconds) = (cycles, plannedCycles, seconds)
  }
}
