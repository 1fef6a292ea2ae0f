package import HRV
package import HeartRate

/// Duration, heart rate, RMSSD, time in each category and artefacts of one session, accumulated beat by beat.
///
/// Windows with fewer than 20 normal beats are not counted, and those during exertion only for the heart rate. Those with an irregular
/// rhythm have no category. A stress value
/// counts for the time since the beat before it;
/// after more than 3 s without a beat it counts for nothing.
/// - Complexity: O(1) time and memory per beat.
package struct SessionSummary: Equatable, Sendable {
  /// Mean and range of a value.
  package struct Extent: Equatable, Sendable {
    package private(set) var low: Double
    package private(set) var high: Double
    package private(set) var count: Int
    private var sum: Double

    package var mean: Double { sum / Double(count) }

    init(_ value: Double) { (low, high, count, sum) = (value, value, 1, value) }

    fileprivate mutating func add(_ value: Double) {
      (low, high) = (min(low, value), max(high, value))
      count += 1
      sum += value
    }
  }

  /// From the start of the session to its last event.
  package private(set) var duration = SessionTime.zero
  package private(set) var beats = 0
  /// Beats that are not normal, by their provisional verdicts.
  package private(set) var artefacts = 0
  /// Absent without RR intervals, and with averaged ones. In ms.
  package private(set) var rmssd: Extent?
  /// Confidence of the stress values, 0 to 1.
  package private(set) var confidence: Extent?
  package private(set) var sensorClass: SensorClass?
  private var windowHeartRate: Extent?
  private var reportedHeartRate: Extent?
  private var categoryTicks = InlineArray<4, Int64>(repeating: 0)
  private var lastMeasured: SessionTime?

  /// Seconds of RR intervals that a stress value requires.
  package private(set) var requiredSeconds = 30.0
  private static let longestInterval = 3 * RRInterval.ticksPerSecond

  package init() {}

  package static func == (a: Self, b: Self) -> Bool {
    a.duration == b.duration && a.beats == b.beats && a.artefacts == b.artefacts && a.rmssd == b.rmssd
      && a.confidence == b.confidence && a.sensorClass == b.sensorClass && a.heartRate == b.heartRate
      && StressCategory.allCases.allSatisfy { a.seconds(in: $0) == b.seconds(in: $0) }
  }

  /// In bpm: of the windows; as the sensor reports it where no window counts.
  package var heartRate: Extent? { windowHeartRate ?? reportedHeartRate }

  /// Whether ``heartRate`` contains the means of windows.
  package var isHeartRateOfWindows: Bool { windowHeartRate != nil }

  /// Percentage of the beats that are artefacts. Absent without beats.
  package var artefactPercent: Double? { beats > 0 ? 100 * Double(artefacts) / Double(beats) : nil }

  package func seconds(in category: StressCategory) -> Double {
    SessionTime(ticks: categoryTicks[category.place]).seconds
  }

  /// Time with a stress value, in all categories together.
  package var scoredSeconds: Double { StressCategory.allCases.reduce(0) { $0 + seconds(in: $1) } }

  /// The category with the most time. Absent without a stress value.
  package var mainCategory: StressCategory? {
    scoredSeconds > 0 ? StressCategory.allCases.max { seconds(in: $0) < seconds(in: $1) } : nil
  }

  package mutating func update(_ event: SessionEvent) { duration = max(duration, event.at) }

  package mutating func update(_ part: BeatStream.Event) {
    switch part {
    case .notification(let notification):
      if let rate = notification.plausibleHeartRate { Self.add(Double(rate), to: &reportedHeartRate) }
    case .beat(let beat):
      beats += 1
      if !beat.verdict.isNormal { artefacts += 1 }
    case .gap, .undecodable: break
    }
  }

  package mutating func update(_ measurement: StressMeasurement) {
    let interval = lastMeasured.map { measurement.time.ticks - $0.ticks } ?? .max
    lastMeasured = measurement.time
    requiredSeconds = measurement.requiredSeconds
    guard measurement.nn.count >= StressMeasurement.requiredBeats else { return }
    if let rate = measurement.nn.meanHeartRate { Self.add(rate, to: &windowHeartRate) }
    guard measurement.score != nil, !measurement.confidence.indicatesExertion else { return }
    if let value = measurement.nn.rmssd { Self.add(value, to: &rmssd) }
    Self.add(measurement.confidence.value, to: &confidence)
    guard let category = measurement.statedCategory, interval <= Self.longestInterval else { return }
    categoryTicks[category.place] += interval
  }

  /// Discards the values that were computed before averaged intervals were recognised.
  package mutating func update(_ found: SensorClass?) {
    sensorClass = found
    guard found == .smoothed else { return }
    (rmssd, confidence, categoryTicks) = (nil, nil, InlineArray(repeating: 0))
  }

  private static func add(_ value: Double, to range: inout Extent?) {
    if range == nil { range = Extent(value) } else { range?.add(value) }
  }
}

extension StressCategory {
  fileprivate var place: Int {
    switch self {
    case .relaxed: 0
    case .mild: 1
    case .moderate: 2
    case .high: 3
    }
  }
}
