internal import GRDB
internal import HeartRate
internal import Stress

/// A session of the history, as far as sync needs it.
package struct SyncSessionRow: Decodable, Sendable {
  /// The text of its ID.
  package var id: String
  /// The number of its profile.
  package var profile: Int64
  /// Hexadecimal digits of the fingerprint of the imported file. Other sessions have none.
  package var fingerprint: String?
  /// False while it is running, and after its program was killed until the next session of the profile starts.
  package var hasEnded: Bool
  /// Whether it has measurements that are not readings.
  package var isSampled: Bool
  /// The time of the latest event in ticks, if any.
  package var last: Int64?
}

/// Deleted times of a session.
package struct SyncDeletedTimes: Codable, Hashable, Sendable {
  /// Lower-case text of the session's ID.
  package var session: String
  /// In microseconds since 1970; the end is excluded.
  var from, until: Int64

  private enum CodingKeys: String, CodingKey {
    case session
    case from = "from_us"
    case until = "until_us"
  }

  /// `from-until`.
  package var name: String { "\(from)-\(until)" }

  /// Fails for other names.
  package init?(session: String, name: String) {
    let bounds = name.split(separator: "-").compactMap { Int64($0) }
    guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
    (self.session, from, until) = (session, bounds[0], bounds[1])
  }

  var times: Range<WallTime> { WallTime(microseconds: from)..<WallTime(microseconds: until) }

  /// Records the deletion. Does nothing unless the session is shared.
  static func insert(_ db: Database, _ session: SessionID, _ times: Range<WallTime>) throws {
    try db.run(
      """
      INSERT INTO sync_cut (session, from_us, until_us)
      SELECT key, :from, :until FROM sync_ledger WHERE kind = 'held' AND key = lower(:session)
        AND EXISTS (SELECT 1 FROM session WHERE id = :session)
      ON CONFLICT DO NOTHING
      """,
      [
        "session": session.text, "from": times.lowerBound.microseconds,
        "until": times.upperBound.microseconds,
      ])
  }
}

extension SyncSessionRow: FetchableRecord {}
extension SyncDeletedTimes: FetchableRecord, PersistableRecord { static let databaseTableName = "sync_cut" }

extension SyncRows {
  /// All sessions. The time of the latest event is found among the last 256 ones, because events that arrive together may be
  /// stored in another order than that of their times.
  package func sessions() throws -> [SyncSessionRow] {
    try SyncSessionRow.fetchAll(
      database.statement(
        """
        SELECT s.id, s.profile, nullif(hex(i.fingerprint), '') AS fingerprint, s.outcome IS NOT NULL AS hasEnded,
          EXISTS (SELECT 1 FROM measurement WHERE session = s.number AND NOT is_reading) AS isSampled,
          (SELECT max(ticks) FROM (SELECT ticks FROM session_event WHERE session = s.number ORDER BY sequence DESC LIMIT 256))
            AS last
        FROM session s LEFT JOIN import i ON i.session = s.number ORDER BY s.id
        """))
  }

  // MARK: - Deleted times

  /// The deleted times of sessions that are shared.
  package func deletedTimes() throws -> [SyncDeletedTimes] {
    try SyncDeletedTimes.fetchAll(
      database.statement("SELECT * FROM sync_cut ORDER BY session, from_us, until_us"))
  }

  /// Removes the record of a deletion. The deleted events remain deleted.
  package func remove(_ deleted: SyncDeletedTimes) throws { try deleted.remove(from: database) }

  /// Deletes times of sessions that are not deleted yet, and computes the measurements of the changed sessions again from the
  /// remaining events, as each device does: measurements of a live session depend on the deleted beats.
  /// - Returns: The names of their profiles.
  package func apply(_ deletedTimes: [SyncDeletedTimes], sampling: MeasurementSampling) throws -> Set<String>
  {
    let known = Set(try self.deletedTimes())
    for deleted in deletedTimes where !known.contains(deleted) {
      guard let session = try session(deleted.session) else { continue }
      try session.cutting(deleted.times).delete(database)
      try SyncDeletedTimes.insert(database, session.id, deleted.times)
      try SecureErase.begin(database)
    }
    return try measureAgain(sampling)
  }

  /// Computes the measurements of sessions with times that were deleted since the last call.
  private func measureAgain(_ sampling: MeasurementSampling) throws -> Set<String> {
    var profiles: Set<String> = []
    let changed = try database.statement("SELECT DISTINCT session FROM sync_cut WHERE NOT is_measured")
    for text in try String.fetchAll(changed) {
      guard let session = try session(text) else { continue }
      try SessionRemeasurement(database: database, sampling: sampling).run(session.id)
      try endWithLastEvent(session.number)
      for deleted in try deletedTimes() where deleted.session == text {
        try session.cutting(deleted.times).deleteMeasurements(database)
      }
      profiles.insert(session.profile)
    }
    try database.run("UPDATE sync_cut SET is_measured = 1 WHERE NOT is_measured")
    try QuarterHourTable.refresh(database)
    return profiles
  }

  private func session(_ text: String) throws -> SessionDeletion? {
    try SessionID(text).flatMap { try SessionDeletion.all(database, .session($0)).first }
  }

  /// Sets the end of a session whose end was deleted to its last event, as an import does.
  private func endWithLastEvent(_ number: Int64) throws {
    try database.run(
      """
      UPDATE session SET outcome = 'interrupted', ended_ticks = last.ticks
      FROM (SELECT ticks, kind FROM session_event WHERE session = :number ORDER BY sequence DESC LIMIT 1) last
      WHERE number = :number AND outcome IS NOT NULL AND last.kind <> \(EventTable.endKind)
      """, ["number": number])
  }

  // MARK: - Times that were deleted before the session was shared

  /// The times of a session that were deleted before it was shared: where the sequence of its events has gaps, and after the last
  /// event if the end of a finished session is missing.
  package func deletedTimes(of session: SyncSessionRow) throws -> [SyncDeletedTimes] {
    guard try hasGaps(session), let stored = try self.session(session.id) else { return [] }
    let statement = try database.statement(
      """
      WITH event AS (
        SELECT sequence, coalesce(wall_us, :started + ticks / 80) AS time FROM session_event WHERE session = :number
        UNION ALL SELECT max(sequence) + iif(kind = \(EventTable.endKind), 1, 2), :ended + 1
        FROM session_event WHERE session = :number
      )
      SELECT lower(:session) AS session, previous_time + 1 AS from_us, time AS until_us FROM (
        SELECT *, lag(sequence, 1, -1) OVER events AS previous, lag(time, 1, :started - 1) OVER events AS previous_time
        FROM event WINDOW events AS (ORDER BY sequence)
      ) WHERE sequence > previous + 1 AND until_us > from_us ORDER BY sequence
      """,
      [
        "session": session.id, "number": stored.number, "started": stored.times.0.microseconds,
        "ended": stored.times.1.microseconds,
      ])
    return try SyncDeletedTimes.fetchAll(statement)
  }

  private func hasGaps(_ session: SyncSessionRow) throws -> Bool {
    let statement = try database.statement(
      """
      SELECT (SELECT count(*) FROM session_event WHERE session = s.number) <> last + 1
        OR (s.outcome = 'finished' AND (SELECT kind FROM session_event WHERE session = s.number AND sequence = last)
          <> \(EventTable.endKind))
      FROM (SELECT *, (SELECT max(sequence) FROM session_event WHERE session = number) AS last
        FROM session WHERE id = :id AND outcome IS NOT NULL) s
      """, ["id": session.id])
    return try Bool.fetchOne(statement) ?? false
  }
}

// MARK: - Replacement

extension HistoryImport.Transaction {
  /// Begins to store a session whose events follow one by one; the events in `session` are not stored. If its ID is stored, its
  /// events and measurements are replaced; journal entries, exercises and morning readings of the session are kept.
  /// - Parameter session: Its fingerprint may be empty until the session is finished.
  /// - Returns: `nil` if the content is stored under another ID.
  package func appender(for session: ImportedSession) throws -> HistoryImport.SessionAppender? {
    guard let number = try SessionRecord.number(database, of: session.info.id) else {
      return try ImportRecord.duplicate(database, of: session) == nil ? insert(session) : nil
    }
    for table in ["session_event", "measurement", "motion_minute", "resting_window", "import"] {
      try database.run("DELETE FROM \(table) WHERE session = :number", ["number": number])
    }
    // Shared deletions of times are applied again.
    try database.run("DELETE FROM sync_cut WHERE session = lower(:id)", ["id": session.info.id.text])
    try database.run(
      "UPDATE session SET rest_found = NULL, nights_found = NULL WHERE number = :number", ["number": number])
    return try HistoryImport.SessionAppender(session, number: number, self)
  }
}

/// Computes the measurements of a stored session again from its events.
struct SessionRemeasurement {
  let database: Database
  let sampling: MeasurementSampling

  /// Replaces the measurements of a session. Those of a session with readings are computed at the times of its readings.
  func run(_ id: SessionID) throws {
    guard let number = try SessionRecord.number(database, of: id),
      let info = try SessionRecord.info(database, of: id)
    else { return }
    let readings = try ReadingTimes.stored(database, session: number)
    for table in ["measurement", "motion_minute"] {
      try database.run("DELETE FROM \(table) WHERE session = :number", ["number": number])
    }
    let profile = try ProfileTable.number(database, creating: info.profile)
    var measuring = try SessionMeasuring(
      database, info, number: number, profile: profile, sampling: sampling, readings: readings)
    var next: Int64 = 0
    while true {
      let page = try EventTable.page(database, session: id, from: next, limit: 512)
      guard let last = page.last else { break }
      for (_, event) in page { try measuring.update(event) }
      next = last.sequence + 1
    }
    try measuring.finish()
    try measuring.motion.write(database, session: number)
    try database.run(
      "UPDATE session SET engine = :engine WHERE number = :number",
      ["engine": StressEngine.version, "number": number])
  }
}
