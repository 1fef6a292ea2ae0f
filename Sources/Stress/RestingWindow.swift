import HRV
public import HeartRate

/// A minute in which a person was at rest: what a baseline is learned from.
public struct RestingWindow: Equatable, Sendable {
  /// When its last beat ended.
  public var time: SessionTime
  /// Mean heart rate in bpm.
  public var heartRate: Double
  /// In ms.
  public var rmssd: Double
  /// In ms.
  public var sdnn: Double

  public init(time: SessionTime, heartRate: Double, rmssd: Double, sdnn: Double) {
    self.time = time
    self.heartRate = heartRate
    self.rmssd = rmssd
    self.sdnn = sdnn
  }
}

/// Finds the resting windows of a session: full minutes that do not overlap, each
///
/// - trusted: confidence of 0.8 and more but for a low HRV and a young baseline, and beat-to-beat intervals;
/// - still: at most 110 bpm, and a heart rate without a trend (SDNN at most 2.5 times RMSSD);
/// - undisturbed: not during a breathing exercise, nor within ten minutes after it.
///
/// Whether a still minute was rest also depends on the rest of the day, see ``BaselineLearner``. The windows depend on
/// the session's events alone, not on its settings or the baseline of then.
public struct RestObserver: Sendable {
  private var engine = StressEngine()
  private var isExercising = false
  /// No resting window may begin before.
  private var earliestStart = SessionTime.zero

  private static let length = StressEngine.Settings().window
  private static let recovery = Duration.seconds(600)

  public init() {}

  /// Takes the next event of the session, and hands the resting windows that it completes to `emit`.
  public mutating func update(_ event: SessionEvent, emit: (RestingWindow) throws -> Void) rethrows {
    if case .mark(let text) = event.kind { follow(BreathingMark(rawValue: text), at: event.at) }
    var found: RestingWindow?
    engine.update(event) { found = Self.window($0) ?? found }
    guard let found, !isExercising,
      found.time.ticks - Self.length.ticks >= earliestStart.ticks - Self.tolerance
    else { return }
    earliestStart = found.time
    try emit(found)
  }

  /// A minute of beats may lack one at either end: the first beat of a session begins before it is told.
  private static let tolerance = 2 * RRInterval.ticksPerSecond

  private mutating func follow(_ mark: BreathingMark?, at time: SessionTime) {
    guard let mark else { return }
    isExercising = mark == .begins
    if mark == .ends {
      earliestStart = max(earliestStart, SessionTime(ticks: time.ticks + Self.recovery.ticks))
    }
  }

  private static func window(_ measurement: StressMeasurement) -> RestingWindow? {
    guard measurement.score != nil, measurement.sensorClass == .beatToBeat,
      let heartRate = measurement.nn.meanHeartRate, let rmssd = measurement.nn.rmssd,
      let sdnn = measurement.nn.sdnn,
      rmssd > 0, sdnn > 0, heartRate <= 110, sdnn <= 2.5 * rmssd,
      measurement.confidence[.windowFill] ?? 0 >= 0.97, trust(measurement.confidence) >= 0.8
    else { return nil }
    return RestingWindow(time: measurement.time, heartRate: heartRate, rmssd: rmssd, sdnn: sdnn)
  }

  /// A low HRV may be the person's own, and the baseline is what is sought.
  private static func trust(_ confidence: Confidence) -> Double {
    var confidence = confidence
    confidence[.lowHRV] = nil
    confidence[.baseline] = nil
    return confidence.value
  }
}
