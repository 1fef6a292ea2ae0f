import HeartRate
package import LiveSession
import Localization
package import Stress

extension StatusReport {
  /// The status of a live session from its feed.
  /// - Parameters:
  ///   - now: in ns of the boot clock.
  ///   - stored: the status from the history, for the parts that summarise earlier measurements; nil without them.
  /// - Returns: nil before the session's first measurement.
  package init?(_ state: LiveSnapshot, metric: HRVMetric, now: Int64, stored: StatusReport? = nil) {
    guard let measurement = state.measurement, let time = measurement.time.flatMap(WallTime.init(rfc3339:))
    else { return nil }
    self.init(
      freshness: Self.freshness(state, now), time: time, age: state.age(at: now) ?? 0,
      stress: measurement.statedStress, hrv: metric == .rmssd ? measurement.rmssd : measurement.sdnn,
      metric: metric, meanHeartRate: measurement.meanHeartRate, confidence: measurement.confidence ?? 0,
      isSimulated: state.isSimulated)
    suspension = measurement.suspension
    if isLive { heartRate = state.heartRate?.value }
    battery = state.battery.flatMap { BatteryLevel(exactly: $0) }
    if let low = measurement.low, let high = measurement.high, low <= high { interval = low...high }
    if isLive { (collected, trend) = (Self.collected(measurement), stored?.trend) }
    guard let stored else { return }
    (recent, insight, normal, today) = (stored.recent, stored.insight, stored.normal, stored.today)
    morningRMSSD = stored.morningRMSSD
    restingRMSSD = morningRMSSD ?? (stress == nil ? nil : measurement.rmssd)
  }

  private static func freshness(_ state: LiveSnapshot, _ now: Int64) -> Freshness {
    guard !state.isLive(at: now) else { return .live }
    return switch state.state {
    case .lost, .stale: .stale(reason: Phrase("link lost"))
    case .searching, .connecting: .stale(reason: Phrase("searching for the strap"))
    case .connected: .stale(reason: Phrase("waiting for new data"))
    case nil: .stale(reason: nil)
    }
  }

  /// The data in the window of a measurement; nil if they suffice for a stress value.
  private static func collected(_ measurement: LiveMeasurement) -> Collected? {
    guard measurement.stress == nil, let seconds = measurement.collected, let window = measurement.window
    else { return nil }
    let required = min(30, window)
    return seconds < required ? Collected(seconds: seconds, required: required) : nil
  }
}
