import HRV
import Stress

/// Whether the HRV metrics of an analysis describe the heart, with the reasons if they do not.
package struct MetricsValidity: Equatable, Sendable {
  /// A reason for metrics that are not valid.
  package enum Reason: String, Sendable, CaseIterable {
    /// The sensor averages or repeats intervals.
    case sensor
    /// The rhythm is irregular, as in atrial fibrillation.
    case irregularRhythm = "irregular_rhythm"
    /// More than ``MetricsValidity/largestFraction`` of the intervals are not normal.
    case artefacts
  }

  package let reasons: [Reason]

  /// Fraction of the intervals that are not normal above which RMSSD is more than 20 % off in six of ten minutes
  /// (docs/design/validation.md); up to it, at most in one of four.
  package static let largestFraction = 0.3

  init(sensorClass: SensorClass?, rhythm: RhythmRegularity?, artefactFraction: Double?) {
    var reasons: [Reason] = []
    if sensorClass == .smoothed { reasons.append(.sensor) }
    if rhythm?.isIrregular ?? false { reasons.append(.irregularRhythm) }
    if artefactFraction ?? 0 > Self.largestFraction { reasons.append(.artefacts) }
    self.reasons = reasons
  }

  package var isValid: Bool { reasons.isEmpty }
}
