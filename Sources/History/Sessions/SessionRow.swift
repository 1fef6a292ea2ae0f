internal import GRDB
internal import HRV
internal import HeartRate
internal import Stress

/// How a session lies in the table `session`.
enum SessionRow {
  /// Number of the profile `name`, which is made where it is missing.
  static func profile(_ db: Database, _ name: String) throws -> Int64 {
    try Query(db, "INSERT INTO profile (name) VALUES (?) ON CONFLICT DO NOTHING").run(.text(name))
    guard
      let number = try Query(db, "SELECT number FROM profile WHERE name = ?").first(
        .text(name), make: { $0.integer(0) })
    else { throw MalformedRow("profile '\(name)' cannot be made") }
    return number
  }

  static func number(_ db: Database, _ id: SessionID) throws -> Int64? {
    try Query(db, "SELECT number FROM session WHERE id = ?").first(.text(id.text)) { $0.integer(0) }
  }

  static func insert(_ db: Database, _ info: SessionInfo, profile: Int64) throws -> Int64 {
    try Query(
      db,
      """
      INSERT INTO session (id, profile, source, strap_address, strap_name, started_us, zone, utc_offset_s,
        monotonic_ns, window_ticks, metric, judging, baseline_rmssd_ms, baseline_sdnn_ms, baseline_resting_hr_bpm,
        baseline_days, baseline_origin, program_version, engine)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      .text(info.id.text), .integer(profile), .text(info.source.rawValue), .text(info.strap?.address),
      .text(info.strap?.name), .integer(info.started.microseconds), .text(info.zone),
      .integer(Int64(info.utcOffset)), .integer(info.monotonicNanoseconds),
      .integer(info.settings.window.ticks),
      .text(info.settings.metric.rawValue), .text(info.settings.classification.rawValue),
      .real(info.baseline.rmssd),
      .real(info.baseline.sdnn), .real(info.baseline.restingHeartRate), .real(info.baseline.days),
      .text(info.baseline.origin.rawValue), .text(info.programVersion),
      .integer(info.engine.map { Int64($0) }))
    return db.lastInsertedRowID
  }

  /// How many events and measurements of a session are stored.
  static func stored(_ db: Database, _ number: Int64) throws -> (events: Int, measurements: Int) {
    try Query(
      db,
      """
      SELECT (SELECT coalesce(max(sequence) + 1, 0) FROM session_event WHERE session = ?1),
        (SELECT count(*) FROM measurement WHERE session = ?1)
      """
    ).first(.integer(number)) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
  }

  static func finish(_ db: Database, _ number: Int64, _ end: SessionEnd) throws {
    try Query(db, "UPDATE session SET ended_us = ?, ended_ticks = ?, outcome = 'finished' WHERE number = ?")
      .run(.integer(end.wall.microseconds), .integer(end.at.ticks), .integer(number))
    try removeIfEmpty(db, number)
  }

  /// Removes an ended session with nothing in it whose strap was not found: how a connection failed is worth keeping.
  private static func removeIfEmpty(_ db: Database, _ number: Int64) throws {
    try Query(
      db,
      """
      DELETE FROM session WHERE number = ?1 AND strap_address IS NULL
        AND NOT EXISTS (SELECT 1 FROM session_event WHERE session = ?1 AND kind NOT IN (\(EventRow.kindsWithoutData)))
        AND NOT EXISTS (SELECT 1 FROM link_change WHERE session = ?1 AND state IN ('connecting', 'connected'))
        AND NOT EXISTS (SELECT 1 FROM measurement WHERE session = ?1)
      """
    ).run(.integer(number))
  }

  /// Marks what a killed program left open as interrupted: all open sessions of `profile` but those that run.
  /// Those that found no strap go.
  static func closeInterrupted(_ db: Database, profile: Int64, except running: [SessionID]) throws {
    let open = try Query(
      db, "SELECT number, started_us, id FROM session WHERE profile = ? AND outcome IS NULL"
    )
    .all(.integer(profile)) { ($0.integer(0), WallTime(microseconds: $0.integer(1)), $0.text(2)) }
    for (number, started, id) in open where !running.contains(where: { $0.text == id }) {
      let last = try lastEvent(db, number)
      try Query(
        db, "UPDATE session SET ended_us = ?, ended_ticks = ?, outcome = 'interrupted' WHERE number = ?"
      )
      .run(.integer(started.advanced(ticks: last.ticks).microseconds), .integer(last.ticks), .integer(number))
      try removeIfEmpty(db, number)
    }
  }

  private static func lastEvent(_ db: Database, _ number: Int64) throws -> SessionTime {
    try Query(db, "SELECT ticks FROM session_event WHERE session = ? ORDER BY sequence DESC LIMIT 1")
      .first(.integer(number)) { SessionTime(ticks: $0.integer(0)) } ?? .zero
  }
}

/// When a session ended.
struct SessionEnd: Sendable {
  var at: SessionTime
  var wall: WallTime
}
