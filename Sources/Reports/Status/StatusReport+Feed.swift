package import LiveSession
import Localization
package import Stress

extension StatusReport {
  /// The status of a live session, with the parts of `stored`, the status from the history, that summarise earlier measurements.
  /// - Parameter now: in ns of the boot clock.
  /// - Returns: Nil before the session's first measurement.
  package init?(_ snapshot: LiveSnapshot, metric: HRVMetric, now: Int64, stored: StatusReport?) {
    self.init(snapshot, metric: metric, now: now)
    guard let stored else { return }
    if isLive { trend = stored.trend }
    (recent, insight, today) = (stored.recent, stored.insight, stored.today)
    morningRMSSD = stored.morningRMSSD
    compare(with: stored.normal, morningRMSSD ?? (stress == nil ? nil : measurement.rmssd))
  }

  /// Compares an RMSSD at rest with a normal range.
  mutating func compare(with range: NormalRange?, _ rmssd: Double?) {
    (normal, restingRMSSD) = (range, rmssd)
    normalPhrase = range.flatMap { range in
      rmssd.map { Phrase("RMSSD \($0.fixed(1)) ms, \(range.phrase($0, today: today))") }
    }
  }
}
