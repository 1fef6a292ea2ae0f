package import HeartRate
package import LiveFeed
import Localization
package import Stress

extension StatusReport {
  /// The status of a live session from its feed.
  /// - Parameters:
  ///   - stored: the status from the history, for the parts that summarise earlier measurements; nil without them.
  /// - Returns: nil before the session's first measurement.
  package init?(_ state: FeedState, metric: HRVMetric, now: WallTime, stored: StatusReport? = nil) {
    guard let measurement = state.measurement, let time = measurement.time.flatMap(WallTime.init(rfc3339:))
    else { return nil }
    let isIrregular = measurement.stress != nil && measurement.category == nil
    self.init(
      freshness: Self.freshness(state), time: time, age: now.seconds(since: time),
      stress: measurement.isExerting || isIrregular ? nil : measurement.stress,
      hrv: metric == .rmssd ? measurement.rmssd : measurement.sdnn, metric: metric,
      heartRate: measurement.heartRate, confidence: measurement.confidence ?? 0,
      isSimulated: state.isSimulated)
    (isExerting, self.isIrregular) = (measurement.isExerting, isIrregular)
    battery = state.battery.flatMap { BatteryLevel(exactly: $0) }
    if let low = measurement.low, let high = measurement.high, low <= high { interval = low...high }
    if isLive { (collected, trend) = (Self.collected(measurement), stored?.trend) }
    guard let stored else { return }
    (recent, insight, normal, today) = (stored.recent, stored.insight, stored.normal, stored.today)
    morningRMSSD = stored.morningRMSSD
    restingRMSSD = morningRMSSD ?? (stress == nil ? nil : measurement.rmssd)
  }

  private static func freshness(_ state: FeedState) -> Freshness {
    guard state.isStale else { return .live }
    return switch state.link.flatMap(LinkChange.State.init(rawValue:)) {
    case .lost, .stale: .stale(reason: Phrase("link lost"))
    case .searching, .connecting: .stale(reason: Phrase("searching for the strap"))
    case .connected: .stale(reason: Phrase("waiting for new data"))
    case nil: .stale(reason: nil)
    }
  }

  /// The data in the window of a measurement; nil if they suffice for a stress value.
  private static func collected(_ measurement: FeedMeasurement) -> Collected? {
    guard measurement.stress == nil, let seconds = measurement.collected, let window = measurement.window
    else { return nil }
    let required = min(30, window)
    return seconds < required ? Collected(seconds: seconds, required: required) : nil
  }
}
