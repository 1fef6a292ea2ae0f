package import HeartRate

/// The measurement that a prompt asks about.
package struct StressPrompt: Equatable, Sendable {
  package var time: WallTime
  /// The stress value, 0 to 100.
  package var stress: Double
  /// 0 to 1.
  package var confidence: Double
  /// In ms.
  package var rmssd: Double
  /// The person's normal range of RMSSD at rest in ms.
  package var normal: ClosedRange<Double>

  package init(
    time: WallTime, stress: Double, confidence: Double, rmssd: Double, normal: ClosedRange<Double>
  ) {
    (self.time, self.stress, self.confidence) = (time, stress, confidence)
    (self.rmssd, self.normal) = (rmssd, normal)
  }

  /// How a person answers a prompt.
  package enum Answer: String, CaseIterable, Sendable {
    case yes
    case no
    /// Starts a calming exercise. It counts as agreement.
    case breathe
    /// No further prompt on the same local day.
    case notToday = "not-today"

    /// Whether the person agreed that the moment was stressful. "Not today" is no statement about the moment.
    package var agrees: Bool? {
      switch self {
      case .yes, .breathe: true
      case .no: false
      case .notToday: nil
      }
    }
  }
}
