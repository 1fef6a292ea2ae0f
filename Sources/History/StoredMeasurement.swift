public import HeartRate
public import Stress

/// A measurement as the history holds it. What was absent when it was measured is absent here.
public struct StoredMeasurement: Equatable, Sendable, Identifiable {
  /// Names it for good: the number of a deleted measurement is not given again.
  public var id: Int64
  public var session: SessionID
  public var profile: String
  /// When its last beat arrived; where the source did not know, when that beat ended by the session's own time.
  public var time: WallTime
  /// When its last beat ended.
  public var at: SessionTime
  /// Length of the window in seconds.
  public var window: Double
  /// 0 to 100.
  public var stress: Double?
  /// In ms.
  public var rmssd: Double?
  /// In ms.
  public var sdnn: Double?
  /// In ms.
  public var meanNN: Double?
  /// In bpm.
  public var meanHeartRate: Double?
  /// In percent of all differences.
  public var pNN50: Double?
  /// Beats in the window, normal or not.
  public var beats: Int
  /// Normal beats in the window.
  public var normalBeats: Int
  /// RR received over time passed.
  public var coverage: Double?
  /// What kind of intervals the sensor sent, once that was known.
  public var sensorClass: SensorClass?
  public var confidence: Confidence
  /// The version of the engine that computed it; nil in rows of versions that did not store it.
  public var engine: Int?
  /// Whether it is the result of a reading (`measure`), and not a sample of a session.
  public var isReading = false
  /// Whether its window contains paced breathing.
  public var isPaced = false
  /// Whether it counts: it has a stress value from at least 20 normal beats, with a confidence of at least 0.3. The column
  /// `measurement.is_usable` defines the rule.
  public var isUsable = true

  public var category: StressCategory? { stress.map(StressCategory.init(score:)) }

  /// Share of the beats in the window that are not normal, 0 to 1.
  public var artefactShare: Double { beats > 0 ? Double(beats - normalBeats) / Double(beats) : 0 }

  /// What its stress was computed from, with the settings and the baseline of its session. Equal inputs give the
  /// stored stress, to the bit. Absent where the stress is.
  public func inputs(in session: SessionInfo) -> StressScore.Inputs? {
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
