public import HeartRate
public import Stress
public import Words

/// What a status bar shows: the latest measurement, and whether it is of now.
public struct Glance: Equatable, Sendable {
  public enum Freshness: Equatable, Sendable {
    /// A session goes on, its strap is connected, and the measurement is new.
    case live
    /// A session goes on or was killed, but this is not of now. Why, where that is known.
    case stale(reason: Phrase?)
    /// Its session has ended.
    case ended
  }

  /// Where HRV is going.
  public enum Trend: String, Sendable, CaseIterable {
    case up
    case steady
    case down
  }

  public var freshness: Freshness
  /// When it was measured.
  public var time: WallTime
  /// Seconds since it was measured.
  public var age: Int64
  /// Absent where the sensor does not give one.
  public var stress: Double?
  /// Of `metric`, in ms.
  public var hrv: Double?
  public var metric: HRVMetric
  /// In bpm.
  public var heartRate: Double?
  /// 0 to 1.
  public var confidence: Double
  /// Absent where there is too little to compare.
  public var trend: Trend?
  /// Mean stress of the last quarters of an hour, the latest last; absent ones were not measured.
  public var recent: [Double?]
  /// One thing worth knowing.
  public var insight: Phrase?
  public var isSimulated: Bool
  /// How much of the data for a stress value the window holds, while it is too little for one.
  public var collected: Collected?

  public struct Collected: Equatable, Sendable {
    public var seconds: Double
    public var required: Double

    public init(seconds: Double, required: Double) { (self.seconds, self.required) = (seconds, required) }
  }

  public init(
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

  public var isLive: Bool { freshness == .live }
  public var category: StressCategory? { stress.map(StressCategory.init(score:)) }
  public var mood: BuddyMood? { stress.map(BuddyMood.init(score:)) }
}

/// How much of a glance there is room for.
public enum GlanceSize: String, Sendable, CaseIterable {
  /// Mood and category.
  case small
  /// Stress, HRV with its trend, and age.
  case medium
  /// The last hours as a sparkline, stress, and one insight.
  case large
  /// Sentences for a screen reader.
  case spoken
}
