package import HeartRate
package import Stress

/// A stored measurement. A value that could not be computed is nil.
package struct StoredMeasurement: Equatable, Sendable, Identifiable {
  /// Its permanent number. The number of a deleted measurement is not reused.
  package var id: Int64
  package var session: SessionID
  package var profile: String
  /// The arrival time of its last beat; for a source without arrival times, the end of that beat in session time.
  package var time: WallTime
  /// The end of its last beat.
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
  /// Sum of the received RR intervals divided by the elapsed time.
  package var coverage: Double?
  /// The kind of RR intervals that the sensor sends, once it is classified.
  package var sensorClass: SensorClass?
  package var confidence: Confidence
  /// The version of the engine that computed it. Rows of early versions do not contain it.
  package var engine: Int?
  /// Whether it is the result of a reading (`measure`) and not a sample of a session.
  package var isReading = false
  /// Whether its session is one of the simulated strap.
  package var isSimulated = false
  /// Whether its window contains paced breathing.
  package var isPaced = false
  /// Whether it counts: it has a stress value from at least 20 normal beats, with a confidence of at least 0.3. The column
  /// `measurement.is_usable` defines the rule.
  package var isUsable = true
  /// The 90 % interval of the stress value. Rows of early versions do not contain it.
  package var interval: ClosedRange<Double>?
  /// The range of the next minute in the same state. Present exactly if `interval` is.
  package var range: ClosedRange<Double>?
  /// The range of the level that the uncertainty of the baseline implies. Requires `interval` and a baseline that is not solid.
  package var levelRange: ClosedRange<Double>?
  /// The quality of the window. Rows of early versions do not contain it.
  package var quality: WindowQuality?

  /// Absent during movement and exertion, in an irregular rhythm, and if the measurement has no stress value.
  package var category: StressCategory? {
    confidence.statesLevel ? stress.map(StressCategory.init(score:)) : nil
  }

  /// Fraction of the beats in the window that are not normal, 0 to 1.
  package var artefactFraction: Double { beats > 0 ? Double(beats - normalBeats) / Double(beats) : 0 }

  /// The inputs of its stress value, if it has one, with the settings and the baseline of its session. They give exactly the
  /// stored value.
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

extension StoredMeasurement {
  /// A pair of bounds of the stress value by the names of its columns.
  enum Bounds: String, CaseIterable {
    case interval = "stress"
    case range = "stress_range"
    case levelRange = "level"

    var low: String { rawValue + "_low" }
    var high: String { rawValue + "_high" }
  }
}

extension StressMeasurement {
  /// The bounds of the stress value, if they are stored.
  subscript(bounds: StoredMeasurement.Bounds) -> ClosedRange<Double>? {
    switch bounds {
    case .interval: interval.map { $0.low...$0.high }
    case .range: range.map { $0.low...$0.high }
    case .levelRange: levelRange.map { $0.low...$0.high }
    }
  }
}
