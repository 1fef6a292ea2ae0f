internal import GRDB
internal import HRV
internal import HeartRate

/// The resting windows of a person, as a comparison wants them.
enum RestingMinuteRow {
  /// Those of the latest 90 days of `profile` on which there was rest.
  ///
  /// A simulated heart is not the person's: it counts only for a profile that has no other.
  static func all(_ db: Database, profile: String) throws -> [RestingMinute] {
    try Query(
      db,
      """
      WITH own AS (
        SELECT w.session, w.ticks, w.rmssd_ms, w.hr_bpm, w.day
        FROM resting_window w JOIN session s ON s.number = w.session JOIN profile p ON p.number = s.profile
        WHERE p.name = ?1
          AND (s.source <> 'simulated'
            OR NOT EXISTS (SELECT 1 FROM session o WHERE o.profile = s.profile AND o.source <> 'simulated')))
      SELECT session, ticks, rmssd_ms, hr_bpm FROM own WHERE day > (SELECT max(day) FROM own) - 90
      ORDER BY session, ticks
      """
    ).all(.text(profile)) { row in
      RestingMinute(
        session: row.integer(0), end: SessionTime(ticks: row.integer(1)), rmssd: row.real(2),
        heartRate: row.real(3))
    }
  }
}
