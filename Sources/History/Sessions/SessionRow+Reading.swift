internal import GRDB
internal import HRV
internal import HeartRate
internal import Stress

/// Sessions as they are read.
extension SessionRow {
  private static let select = selection(
    counts: """
      (SELECT count(*) FROM session_event WHERE session = s.number),
      (SELECT count(*) FROM measurement WHERE session = s.number)
      """)

  private static func selection(counts: String) -> String {
    """
    SELECT s.id, p.name, s.source, s.strap_address, s.strap_name, s.started_us, s.zone, s.utc_offset_s,
      s.monotonic_ns, s.window_ticks, s.metric, s.judging, s.baseline_rmssd_ms, s.baseline_sdnn_ms,
      s.baseline_resting_hr_bpm, s.baseline_days, s.baseline_origin, s.program_version, s.outcome, s.ended_us,
      coalesce(s.ended_ticks,
        (SELECT ticks FROM session_event WHERE session = s.number ORDER BY sequence DESC LIMIT 1), 0),
      \(counts),
      coalesce(s.strap_address, l.strap_address), iif(s.strap_address IS NULL, l.strap_name, s.strap_name), s.engine
    FROM session s JOIN profile p ON p.number = s.profile
      LEFT JOIN link_change l ON l.session = s.number AND l.sequence =
        (SELECT min(sequence) FROM link_change WHERE session = s.number AND strap_address IS NOT NULL)

    """
  }

  /// What is known of a session without counting what it holds; its strap is the first that its link came to where it
  /// began without one.
  static func info(_ db: Database, of session: SessionID) throws -> SessionInfo? {
    try Query(db, selection(counts: "0, 0") + "WHERE s.id = ?").first(.text(session.text)) { row in
      var info = try info(row)
      info.strap = EventRow.strap(row, address: 23, name: 24)
      return info
    }
  }

  /// The latest sessions, of one profile or of all.
  static func latest(_ db: Database, profile: String?, limit: Int) throws -> [StoredSession] {
    try Query(db, select + "WHERE ?1 IS NULL OR p.name = ?1 ORDER BY s.id DESC LIMIT ?2")
      .all(.text(profile), .integer(Int64(limit)), make: session)
  }

  /// The sessions of `profile` that went on at some time within `times`, in their order.
  static func within(_ db: Database, profile: String, _ times: Range<WallTime>) throws -> [StoredSession] {
    let candidates = try Query(
      db,
      select + """
        WHERE p.name = ?1 AND s.started_us < ?2 AND (s.ended_us IS NULL OR s.ended_us > ?3) ORDER BY s.id
        """
    ).all(
      .text(profile), .integer(times.upperBound.microseconds), .integer(times.lowerBound.microseconds),
      make: session)
    return candidates.filter { $0.info.started.advanced(ticks: $0.length.ticks) > times.lowerBound }
  }

  /// The latest sessions of `profile` that `filter` leaves, latest first.
  static func latest(_ db: Database, profile: String, _ filter: HistoryFilter, limit: Int) throws
    -> [StoredSession]
  {
    let (condition, values) = filter.ofSessions(profile)
    return try Query(db, select + "WHERE \(condition) ORDER BY s.started_us DESC, s.number DESC LIMIT ?").all(
      values + [.integer(Int64(limit))], make: session)
  }

  /// Up to two sessions, of `profile` or of any, whose names begin with `prefix`, which is of the alphabet of
  /// ``SessionID``.
  static func beginning(_ db: Database, with prefix: String, of profile: String?) throws -> [StoredSession] {
    try Query(
      db,
      select + "WHERE s.id >= ?1 AND s.id < ?1 || '~' AND (?2 IS NULL OR p.name = ?2) ORDER BY s.id LIMIT 2"
    ).all(.text(prefix), .text(profile), make: session)
  }

  private static func session(_ row: Columns) throws -> StoredSession {
    StoredSession(
      info: try info(row),
      outcome: row.isNull(18) ? nil : try row.named(18, as: StoredSession.Outcome.self),
      ended: row.integerOrNil(19).map { WallTime(microseconds: $0) },
      length: SessionTime(ticks: row.integer(20)),
      events: Int(row.integer(21)), measurements: Int(row.integer(22)),
      strap: EventRow.strap(row, address: 23, name: 24))
  }

  private static func info(_ row: Columns) throws -> SessionInfo {
    SessionInfo(
      id: SessionID(stored: row.text(0)), profile: row.text(1),
      source: try row.named(2, as: SessionInfo.Source.self),
      strap: EventRow.strap(row, address: 3, name: 4), started: WallTime(microseconds: row.integer(5)),
      zone: row.text(6), utcOffset: Int(row.integer(7)), monotonicNanoseconds: row.integer(8),
      settings: StressEngine.Settings(
        window: Duration(ticks: row.integer(9)), metric: try row.named(10, as: HRVMetric.self),
        classification: try row.named(11, as: BeatStream.Classification.self)),
      baseline: Baseline(
        rmssd: row.realOrNil(12) ?? .nan, sdnn: row.realOrNil(13) ?? .nan,
        restingHeartRate: row.realOrNil(14) ?? .nan,
        days: row.realOrNil(15) ?? .nan, origin: try row.named(16, as: Baseline.Origin.self)),
      programVersion: row.text(17), engine: row.integerOrNil(25).map { Int($0) })
  }
}
