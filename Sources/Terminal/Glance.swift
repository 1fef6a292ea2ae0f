package import HeartRate
package import Localization
package import Stress

/// What a status bar shows: the latest measurement, and whether it is of now.
package struct Glance: Equatable, Sendable {
  package enum Freshness: Equatable, Sendable {
    /// A session goes on, its strap is connected, and the measurement is new.
    case live
    /// A session goes on or was killed, but this is not of now. Why, where that is known.
    case stale(reason: Phrase?)
    /// Its session has ended.
    case ended
  }

  /// Where HRV is going.
  package enum Trend: String, Sendable, CaseIterable {
    case up
    case steady
    case down
  }

  package var freshness: Freshness
  /// When it was measured.
  package var time: WallTime
  /// Seconds since it was measured.
  package var age: Int64
  /// Absent where the sensor does not give one.
  package var stress: Double?
  /// Of `metric`, in ms.
  package var hrv: Double?
  package var metric: HRVMetric
  /// In bpm.
  package var heartRate: Double?
  /// 0 to 1.
  package var confidence: Double
  /// Absent where there is too little to compare.
  package var trend: Trend?
  /// Mean stress of the last quarters of an hour, the latest last; absent ones were not measured.
  package var recent: [Double?]
  /// One thing worth knowing.
  package var insight: Phrase?
  package var isSimulated: Bool
  /// How much of the data for a stress value the window holds, while it is too little for one.
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
  package var category: StressCategory? { stress.map(StressCategory.init(score:)) }
  package var mood: BuddyMood? { stress.map(BuddyMood.init(score:)) }
}

/// How much of a glance there is room for.
package enum GlanceSize: String, Sendable, CaseIterable {
  /// Mood and category.
  case small
  /// Stress, HRV with its trend, and age.
  case medium
  /// The last hours as a sparkline, stress, and one insight.
  case large
  /// Sentences for a screen reader.
  case spoken
}
