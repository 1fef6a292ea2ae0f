internal import GRDB
internal import HRV
internal import HeartRate
internal import Stress

/// A row of the table `session`.
struct SessionRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "session"

  var id: String
  /// Number of the profile.
  var profile: Int64
  var source: String
  var strapAddress: FreeText?
  var strapName: FreeText?
  var started: Int64
  var zone: FreeText
  var utcOffset: Int
  var monotonicNanoseconds: Int64
  var windowTicks: Int64
  var metric: String
  var classification: String
  var baselineRMSSD: Double?
  var baselineSDNN: Double?
  var baselineRestingHeartRate: Double?
  var baselineDays: Double?
  var baselineOrigin: String
  /// Absent in rows of versions that derived it from the days.
  var baselineWeight: Double?
  var programVersion: FreeText
  var engine: Int?
  /// NULL while the session continues, like the two others.
  var outcome: String?
  var ended: Int64?
  var endedTicks: Int64?

  enum CodingKeys: String, CodingKey {
    case id, profile, source, zone, metric, engine, outcome
    case strapAddress = "strap_address"
    case strapName = "strap_name"
    case started = "started_us"
    case utcOffset = "utc_offset_s"
    case monotonicNanoseconds = "monotonic_ns"
    case windowTicks = "window_ticks"
    case classification = "judging"
    case baselineRMSSD = "baseline_rmssd_ms"
    case baselineSDNN = "baseline_sdnn_ms"
    case baselineRestingHeartRate = "baseline_resting_hr_bpm"
    case baselineDays = "baseline_days"
    case baselineOrigin = "baseline_origin"
    case baselineWeight = "baseline_weight"
    case programVersion = "program_version"
    case ended = "ended_us"
    case endedTicks = "ended_ticks"
  }

  init(_ info: SessionInfo, profile: Int64) {
    id = info.id.text
    self.profile = profile
    source = info.source.rawValue
    strapAddress = (info.strap?.address).map(FreeText.init)
    strapName = info.strap?.name.map(FreeText.init)
    started = info.started.microseconds
    zone = FreeText(info.zone)
    utcOffset = info.utcOffset
    monotonicNanoseconds = info.monotonicNanoseconds
    windowTicks = info.settings.window.ticks
    metric = info.settings.metric.rawValue
    classification = info.settings.classification.rawValue
    // SQLite stores NaN as NULL.
    baselineRMSSD = info.baseline.rmssd
    baselineSDNN = info.baseline.sdnn
    baselineRestingHeartRate = info.baseline.restingHeartRate
    baselineDays = info.baseline.days
    baselineOrigin = info.baseline.origin.rawValue
    baselineWeight = info.baseline.weight
    programVersion = FreeText(info.programVersion)
    engine = info.engine
  }

  /// - Throws: ``MalformedRow`` for a text that is not a known case.
  func info(profile: String) throws(MalformedRow) -> SessionInfo {
    SessionInfo(
      id: SessionID(stored: id), profile: profile, source: try SessionInfo.Source(stored: source),
      strap: StrapIdentity(stored: strapAddress, name: strapName),
      started: WallTime(microseconds: started), zone: zone.text, utcOffset: utcOffset,
      monotonicNanoseconds: monotonicNanoseconds,
      settings: StressEngine.Settings(
        window: Duration(ticks: windowTicks), metric: try HRVMetric(stored: metric),
        classification: try BeatStream.Classification(stored: classification)),
      baseline: Baseline(
        rmssd: baselineRMSSD ?? .nan, sdnn: baselineSDNN ?? .nan,
        restingHeartRate: baselineRestingHeartRate ?? .nan, days: baselineDays ?? .nan,
        origin: try Baseline.Origin(stored: baselineOrigin), weight: baselineWeight),
      programVersion: programVersion.text, engine: engine)
  }
}

extension StrapIdentity {
  /// A strap as stored in two columns. The address is required.
  init?(stored address: FreeText?, name: FreeText?) {
    guard let address else { return nil }
    self.init(address: address.text, name: name?.text)
    // The initializer changes the address to capital letters.
    self.address = address.text
  }
}

// MARK: - Writing

extension SessionRecord {
  static func number(_ db: Database, of id: SessionID) throws -> Int64? {
    try Int64.fetchOne(db.statement("SELECT number FROM session WHERE id = :id", ["id": id.text]))
  }

  /// - Returns: The number of the new session.
  static func insert(_ db: Database, _ info: SessionInfo, profile: Int64) throws -> Int64 {
    try SessionRecord(info, profile: profile).store(in: db)
    return db.lastInsertedRowID
  }

  /// The number of stored events and measurements of a session.
  static func stored(_ db: Database, _ number: Int64) throws -> (events: Int, measurements: Int) {
    let events = try db.statement(
      "SELECT coalesce(max(sequence) + 1, 0) FROM session_event WHERE session = :number", ["number": number])
    let measurements = try db.statement(
      "SELECT count(*) FROM measurement WHERE session = :number", ["number": number])
    return (try Int.fetchOne(events) ?? 0, try Int.fetchOne(measurements) ?? 0)
  }

  /// Ends a session that finished regularly.
  /// - Returns: False if the session was removed because it has no data.
  static func finish(_ db: Database, _ number: Int64, _ end: SessionEnd) throws -> Bool {
    try setEnd(db, number, end, .finished)
    return try !removeIfEmpty(db, number)
  }

  static func setEnd(
    _ db: Database, _ number: Int64, _ end: SessionEnd, _ outcome: StoredSession.Outcome
  ) throws {
    try db.run(
      "UPDATE session SET ended_us = :wall, ended_ticks = :ticks, outcome = :outcome WHERE number = :number",
      [
        "wall": end.wall.microseconds, "ticks": end.at.ticks, "outcome": outcome.rawValue, "number": number,
      ])
  }

  /// Removes an ended session without data whose strap was not found. A failed connection is kept.
  /// - Returns: Whether the session was removed.
  @discardableResult
  private static func removeIfEmpty(_ db: Database, _ number: Int64) throws -> Bool {
    try db.run(
      """
      DELETE FROM session WHERE number = :number AND strap_address IS NULL
        AND NOT EXISTS (SELECT 1 FROM session_event
          WHERE session = :number AND kind NOT IN (\(EventTable.kindsWithoutData)))
        AND NOT EXISTS (SELECT 1 FROM link_change WHERE session = :number AND state IN ('connecting', 'connected'))
        AND NOT EXISTS (SELECT 1 FROM measurement WHERE session = :number)
      """, ["number": number])
    return db.changesCount > 0
  }

  /// Marks open sessions of `profile`, except `running`, as interrupted: their program was killed. Sessions that found no
  /// strap are removed.
  static func closeInterrupted(_ db: Database, profile: Int64, except running: [SessionID]) throws {
    let open = try OpenSession.fetchAll(
      db.statement(
        """
        SELECT number, started_us, id, coalesce(
          (SELECT ticks FROM session_event WHERE session = number ORDER BY sequence DESC LIMIT 1), 0) AS last_ticks
        FROM session WHERE profile = :profile AND outcome IS NULL
        """, ["profile": profile]))
    for session in open where !running.contains(where: { $0.text == session.id }) {
      try setEnd(db, session.number, session.end, .interrupted)
      try removeIfEmpty(db, session.number)
    }
  }

  /// A session without an end.
  private struct OpenSession: Decodable, FetchableRecord {
    var number: Int64
    var id: String
    var started: Int64
    var lastTicks: Int64

    enum CodingKeys: String, CodingKey {
      case number, id
      case started = "started_us"
      case lastTicks = "last_ticks"
    }

    /// The time of the last event.
    var end: SessionEnd {
      SessionEnd(
        at: SessionTime(ticks: lastTicks),
        wall: WallTime(microseconds: started).advanced(ticks: lastTicks))
    }
  }
}

/// The end of a session.
struct SessionEnd: Sendable {
  var at: SessionTime
  var wall: WallTime
}
