internal import GRDB
internal import HRV
internal import HeartRate

/// Stored measurements that show a person at rest.
enum RestingMinuteRow {
  /// The windows of 60 s of the latest 90 days of `profile` in which the person was at rest: trusted (0.8 and more but for
  /// a low HRV and a young baseline), full, at most 110 bpm, and a heart rate without a trend (SDNN at most 2.5 times
  /// RMSSD). They overlap, as they were stored.
  ///
  /// A simulated heart is not the person's: it counts only for a profile that has no other.
  static func all(_ db: Database, profile: String) throws -> [RestingMinute] {
    try Query(
      db,
      """
      WITH p AS (SELECT number FROM profile WHERE name = ?1)
      SELECT m.session, m.ticks, m.rmssd_ms, m.mean_hr_bpm FROM measurement m JOIN session s ON s.number = m.session
      WHERE m.profile = (SELECT number FROM p)
        AND m.time_us >= (SELECT max(time_us) FROM measurement WHERE profile = (SELECT number FROM p)) - ?2
        AND m.window_s = 60 AND m.rmssd_ms > 0 AND m.mean_hr_bpm BETWEEN 20 AND 110 AND m.sdnn_ms <= 2.5 * m.rmssd_ms
        AND m.confidence_window_fill >= 0.97
        AND m.confidence >= 0.8 * coalesce(m.confidence_low_hrv, 1) * coalesce(m.confidence_baseline, 1)
        AND (s.source <> 'simulated' OR NOT EXISTS
          (SELECT 1 FROM session o WHERE o.profile = (SELECT number FROM p) AND o.source <> 'simulated'))
      ORDER BY m.session, m.ticks
      """
    ).all(.text(profile), .integer(90 * 86_400_000_000)) { row in
      RestingMinute(
        session: row.integer(0), end: SessionTime(ticks: row.integer(1)), rmssd: row.real(2),
        heartRate: row.real(3))
    }
  }
}
