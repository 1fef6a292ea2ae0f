import HRV
package import HeartRate

/// A minute of rest, the input of baseline estimation.
package struct RestingWindow: Equatable, Sendable {
  /// End time of its last beat.
  package var time: SessionTime
  /// Mean heart rate in bpm.
  package var heartRate: Double
  /// RMSSD in ms.
  package var rmssd: Double
  /// SDNN in ms.
  package var sdnn: Double

  package init(time: SessionTime, heartRate: Double, rmssd: Double, sdnn: Double) {
    self.time = time
    self.heartRate = heartRate
    self.rmssd = rmssd
    self.sdnn = sdnn
  }
}

/// Detects the resting windows of a session: complete, non-overlapping minutes with
///
/// - usable data (``DataGates/rest``), and no evidence of averaged intervals;
/// - stillness: no exertion, at most 110 bpm, and no heart rate trend (SDNN at most 2.5 times RMSSD); if the strap sends
///   acceleration, at most one second in twenty with movement;
/// - no breathing exercise during the minute or in the ten minutes before.
///
/// ``BaselineEstimator`` additionally compares them with the rest of the day. The windows depend only on the
/// events of the session, not on its settings or its baseline.
package struct RestObserver: Sendable {
  private var engine = StressEngine()
  private var isExercising = false
  /// Earliest start of the next resting window.
  private var earliestStart = SessionTime.zero

  private static let length = StressEngine.Settings().window
  private static let recovery = Duration.seconds(600)

  package init() {}

  /// Processes an event of the session and passes the resting windows that it completes to `emit`.
  package mutating func update(_ event: SessionEvent, emit: (RestingWindow) throws -> Void) rethrows {
    if case .mark(let text) = event.kind { follow(BreathingMark(rawValue: text), at: event.at) }
    var found: RestingWindow?
    engine.update(event) { found = Self.window($0) ?? found }
    guard let found, !isExercising,
      found.time.ticks - Self.length.ticks >= earliestStart.ticks - Self.tolerance
    else { return }
    earliestStart = found.time
    try emit(found)
  }

  /// A minute of beats may lack one at each end: the first beat of a session begins before its notification.
  private static let tolerance = 2 * RRInterval.ticksPerSecond

  private mutating func follow(_ mark: BreathingMark?, at time: SessionTime) {
    guard let mark else { return }
    isExercising = mark == .begins
    if mark == .ends {
      earliestStart = max(earliestStart, SessionTime(ticks: time.ticks + Self.recovery.ticks))
    }
  }

  /// Whether the intervals are beat-to-beat, or too few for a class in a slow heart. Intervals that could be averages have a
  /// lower factor.
  private static func isBeatToBeat(_ measurement: StressMeasurement) -> Bool {
    switch measurement.sensorClass {
    case .beatToBeat: true
    case .smoothed, .noRR: false
    case nil: measurement.confidence[.sensor] == 1
    }
  }

  private static func window(_ measurement: StressMeasurement) -> RestingWindow? {
    guard measurement.score != nil, isBeatToBeat(measurement),
      measurement.motion?.isRest ?? true,
      !measurement.confidence.indicatesExertion,
      let heartRate = measurement.nn.meanHeartRate, let rmssd = measurement.nn.rmssd,
      let sdnn = measurement.nn.sdnn,
      rmssd > 0, sdnn > 0, heartRate <= 110, sdnn <= 2.5 * rmssd,
      measurement.fill >= 0.95, DataGates.rest.accept(measurement)
    else { return nil }
    return RestingWindow(time: measurement.time, heartRate: heartRate, rmssd: rmssd, sdnn: sdnn)
  }
}
