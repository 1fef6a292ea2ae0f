package import HeartRate
package import Stress

/// A measurement as the history holds it. What was absent when it was measured is absent here.
package struct StoredMeasurement: Equatable, Sendable, Identifiable {
  /// Names it for good: the number of a deleted measurement is not given again.
  package var id: Int64
  package var session: SessionID
  package var profile: String
  /// When its last beat arrived; where the source did not know, when that beat ended by the session's own time.
  package var time: WallTime
  /// When its last beat ended.
  package var at: SessionTime
  /// Length of the window in seconds.
  package var window: Double
  /// 0 to 100.
  package var stress: Double?
  /// In ms.
  package var rmssd: Double?
  /// In ms.
  package var sdnn: Double?
  /// In ms.
  package var meanNN: Double?
  /// In bpm.
  package var meanHeartRate: Double?
  /// In percent of all differences.
  package var pNN50: Double?
  /// Beats in the window, normal or not.
  package var beats: Int
  /// Normal beats in the window.
  package var normalBeats: Int
  /// RR received over time passed.
  package var coverage: Double?
  /// What kind of intervals the sensor sent, once that was known.
  package var sensorClass: SensorClass?
  package var confidence: Confidence
  /// The version of the engine that computed it; nil in rows of versions that did not store it.
  package var engine: Int?
  /// Whether it is the result of a reading (`measure`), and not a sample of a session.
  package var isReading = false
  /// Whether its window contains paced breathing.
  package var isPaced = false
  /// Whether it counts: it has a stress value from at least 20 normal beats, with a confidence of at least 0.3. The column
  /// `measurement.is_usable` defines the rule.
  package var isUsable = true

  package var category: StressCategory? { stress.map(StressCategory.init(score:)) }

  /// Share of the beats in the window that are not normal, 0 to 1.
  package var artefactFraction: Double { beats > 0 ? Double(beats - normalBeats) / Double(beats) : 0 }

  /// What its stress was computed from, with the settings and the baseline of its session. Equal inputs give the
  /// stored stress, to the bit. Absent where the stress is.
  package func inputs(in session: SessionInfo) -> StressScore.Inputs? {
    let hrv: Double?
    switch session.settings.metric {
    case .rmssd: hrv = rmssd
    case .sdnn: hrv = sdnn
    }
    guard stress != nil, let hrv, let meanHeartRate else { return nil }
    return StressScore.Inputs(
      hrv: hrv, heartRate: meanHeartRate, baselineHRV: session.baseline.hrv(session.settings.metric),
      restingHeartRate: session.baseline.restingHeartRate)
  }
}
