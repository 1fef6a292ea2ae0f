package import HeartRate
package import LiveSession
package import Localization
package import Stress

/// The content of a status bar: the latest measurement and its age.
package struct Glance: Equatable, Sendable {
  package enum Freshness: Equatable, Sendable {
    /// The session is running, its strap is connected, and the measurement is recent.
    case live
    /// The session is running or was killed, and the measurement is not recent. The reason, if it is known.
    case stale(reason: Phrase?)
    /// The session has ended.
    case ended
  }

  /// The direction in which HRV changes.
  package enum Trend: String, Sendable, CaseIterable {
    case up
    case steady
    case down
  }

  package var freshness: Freshness
  /// Time of the measurement.
  package var time: WallTime
  /// Age in seconds.
  package var age: Int64
  /// Nil if the sensor allows no stress value, and during motion.
  package var stress: Double?
  /// The 90 % interval of the stress value; nil if it is unknown.
  package var interval: ClosedRange<Double>?
  /// Value of `metric` in ms.
  package var hrv: Double?
  package var metric: HRVMetric
  /// The current heart rate in bpm, that of the latest notification; nil unless the values are live.
  package var heartRate: Double?
  /// Mean heart rate of the window in bpm.
  package var meanHeartRate: Double?
  /// Confidence, 0 to 1.
  package var confidence: Double
  /// Nil without enough data to compare.
  package var trend: Trend?
  /// Mean stress of the last quarters of an hour, oldest first; nil if nothing was measured.
  package var recent: [Double?]
  /// One insight as a sentence.
  package var insight: Phrase?
  /// RMSSD and its position in the normal range.
  package var normal: Phrase?
  package var isSimulated: Bool
  /// Why no stress level is stated; nil if it is, and without a stress value.
  package var suspension: ScoreSuspension?
  /// The charge of the strap's battery, if it is low.
  package var lowBattery: BatteryLevel?
  /// The amount of data in the window, while it is too small for a stress value.
  package var collected: Collected?

  package struct Collected: Equatable, Sendable {
    package var seconds: Double
    package var required: Double

    package init(seconds: Double, required: Double) { (self.seconds, self.required) = (seconds, required) }
  }

  package init(
    freshness: Freshness, time: WallTime, age: Int64, stress: Double?, hrv: Double?, metric: HRVMetric,
    heartRate: Double?, confidence: Double, trend: Trend? = nil, recent: [Double?] = [],
    insight: Phrase? = nil,
    isSimulated: Bool = false
  ) {
    self.freshness = freshness
    self.time = time
    self.age = age
    self.stress = stress
    self.hrv = hrv
    self.metric = metric
    self.heartRate = heartRate
    self.confidence = confidence
    self.trend = trend
    self.recent = recent
    self.insight = insight
    self.isSimulated = isSimulated
  }

  package var isLive: Bool { freshness == .live }
  /// Whether the person moves, or perhaps does.
  package var isMoving: Bool { suspension == .moving || suspension == .exertion }
  package var category: StressCategory? { stress.map(StressCategory.init(score:)) }
  package var mood: BuddyMood? { stress.map(BuddyMood.init(score:)) }
}

/// The level of detail of a status bar.
package enum GlanceSize: String, Sendable, CaseIterable {
  /// Mood and category.
  case small
  /// Stress, HRV with its trend, and age.
  case medium
  /// A sparkline of the last hours, stress, and one insight.
  case large
  /// Sentences for a screen reader.
  case spoken
}
