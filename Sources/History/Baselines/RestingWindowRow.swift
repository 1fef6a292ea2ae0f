internal import GRDB
internal import HeartRate
internal import Stress

/// How a resting window lies in the table `resting_window`, and which sessions were looked through for them.
enum RestingWindowRow {
  private static let profileNumber = "(SELECT number FROM profile WHERE name = ?1)"

  /// The ended sessions of `profile` that were not looked through yet, oldest first.
  static func sessionsToLearnFrom(_ db: Database, _ profile: String) throws -> [SessionToLearnFrom] {
    try Query(
      db,
      """
      SELECT number, id, started_us, utc_offset_s FROM session
      WHERE profile = \(profileNumber) AND outcome IS NOT NULL AND rest_found IS NULL ORDER BY number
      """
    ).all(.text(profile)) { row in
      SessionToLearnFrom(
        number: row.integer(0), id: SessionID(stored: row.text(1)),
        started: WallTime(microseconds: row.integer(2)), utcOffset: row.integer(3))
    }
  }

  /// Stores what was found in a session, once.
  static func set(_ db: Database, _ windows: [RestingWindow], of session: SessionToLearnFrom) throws {
    try Query(db, "DELETE FROM resting_window WHERE session = ?").run(.integer(session.number))
    let insert = try Query(
      db,
      "INSERT INTO resting_window (session, ticks, day, hr_bpm, rmssd_ms, sdnn_ms) VALUES (?, ?, ?, ?, ?, ?)")
    for window in windows {
      try insert.run(
        .integer(session.number), .integer(window.time.ticks), .integer(session.localDay(of: window.time)),
        .real(window.heartRate), .real(window.rmssd), .real(window.sdnn))
    }
    try Query(db, "UPDATE session SET rest_found = ? WHERE number = ?")
      .run(.integer(Int64(windows.count)), .integer(session.number))
  }

  /// Has all ended sessions of `profile` looked through anew, those before its last reset too.
  static func forget(_ db: Database, _ profile: String) throws {
    try Query(
      db,
      "DELETE FROM resting_window WHERE session IN (SELECT number FROM session WHERE profile = \(profileNumber))"
    ).run(.text(profile))
    try Query(db, "UPDATE session SET rest_found = NULL WHERE profile = \(profileNumber)").run(.text(profile))
    try learn(db, profile, since: nil)
  }

  /// From when on sessions count; all of them for nil.
  static func learn(_ db: Database, _ profile: String, since time: WallTime?) throws {
    try Query(db, "UPDATE profile SET learns_since_us = ?2 WHERE name = ?1")
      .run(.text(profile), .integer(time?.microseconds))
  }

  /// What the windows of `profile` up to the local day `today` teach.
  ///
  /// A simulated heart is not the person's: it counts only for a profile that has no other.
  static func learner(_ db: Database, _ profile: String, today: Int) throws -> BaselineEstimator {
    var learner = BaselineEstimator()
    try Query(
      db,
      """
      SELECT w.day, w.ticks, w.hr_bpm, w.rmssd_ms, w.sdnn_ms
      FROM resting_window w JOIN session s ON s.number = w.session JOIN profile p ON p.number = s.profile
      WHERE p.name = ?1 AND w.day <= ?2 AND s.started_us >= coalesce(p.learns_since_us, s.started_us)
        AND (s.source <> 'simulated'
          OR NOT EXISTS (SELECT 1 FROM session o WHERE o.profile = s.profile AND o.source <> 'simulated'))
      ORDER BY s.number, w.ticks
      """
    ).forEach(.text(profile), .integer(Int64(today))) { row in
      learner.append(
        RestingWindow(
          time: SessionTime(ticks: row.integer(1)), heartRate: row.real(2), rmssd: row.real(3),
          sdnn: row.real(4)),
        day: Int(row.integer(0)))
    }
    return learner
  }
}

/// A session whose resting windows are sought.
struct SessionToLearnFrom: Sendable {
  var number: Int64
  var id: SessionID
  var started: WallTime
  /// Seconds east of UTC when it began.
  var utcOffset: Int64

  /// The local day of a time of the session, in days since 1970-01-01, by the offset from UTC at its beginning: a
  /// clock that is set for summer during the night does not split the night's session.
  func localDay(of time: SessionTime) -> Int64 {
    started.advanced(ticks: time.ticks).localDay(utcOffset: Int(utcOffset))
  }
}
