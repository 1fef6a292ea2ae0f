internal import Foundation
internal import GRDB
package import HeartRate
internal import Stress

/// A session of the history, as far as sync needs it.
package struct SyncSessionRow: Sendable {
  package var id: SessionID
  /// The number of its profile.
  package var profile: Int64
  /// That of the file from which it was imported. Other sessions have none.
  package var fingerprint: [UInt8]?
  /// False while it is running, and after its program was killed until the next session of the profile starts.
  package var hasEnded: Bool
  /// Whether it has measurements that are not readings.
  package var isSampled: Bool
  /// The latest event, if any.
  package var last: SessionTime?
}

extension SyncRows {
  private enum SessionColumn: CInt { case id, profile, fingerprint, ended, sampled, last }

  /// All sessions. The time of the latest event is found among the last 256 ones, because events that arrive together may be
  /// stored in another order than that of their times.
  package func sessions() throws -> [SyncSessionRow] {
    try RawStatement(
      database,
      """
      SELECT s.id, s.profile, i.fingerprint, s.outcome IS NOT NULL,
        EXISTS (SELECT 1 FROM measurement WHERE session = s.number AND NOT is_reading),
        (SELECT max(ticks) FROM (SELECT ticks FROM session_event WHERE session = s.number ORDER BY sequence DESC LIMIT 256))
      FROM session s LEFT JOIN import i ON i.session = s.number ORDER BY s.id
      """, [:]
    ).all { row in
      let fingerprint = row.bytes(SessionColumn.fingerprint)
      return SyncSessionRow(
        id: SessionID(stored: row.text(SessionColumn.id)), profile: row.integer(SessionColumn.profile),
        fingerprint: fingerprint.isEmpty ? nil : fingerprint, hasEnded: row.integer(SessionColumn.ended) != 0,
        isSampled: row.integer(SessionColumn.sampled) != 0,
        last: row.integerOrNil(SessionColumn.last).map { SessionTime(ticks: $0) })
    }
  }
}

// MARK: - Deleted times

/// Deleted times of a session.
package struct SyncCutRow: Hashable, Sendable {
  /// Lower-case text of the session's ID.
  package var session: String
  /// In microseconds since 1970; the end is excluded.
  package var times: Range<Int64>

  package init(session: String, times: Range<Int64>) { (self.session, self.times) = (session, times) }

  /// `from-until`.
  package var name: String { "\(times.lowerBound)-\(times.upperBound)" }

  /// Fails for other names.
  package init?(session: String, name: String) {
    let bounds = name.split(separator: "-").compactMap { Int64($0) }
    guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
    self.init(session: session, times: bounds[0]..<bounds[1])
  }
}

extension SyncRows {
  private enum CutColumn: CInt { case session, from, until }

  /// The deleted times of sessions that are shared.
  package func cuts() throws -> [SyncCutRow] {
    try RawStatement(
      database, "SELECT session, from_us, until_us FROM sync_cut ORDER BY session, from_us, until_us", [:]
    ).all { row in
      SyncCutRow(
        session: row.text(CutColumn.session),
        times: row.integer(CutColumn.from)..<row.integer(CutColumn.until))
    }
  }

  /// Removes the record of a deletion. The deleted events remain deleted.
  package func remove(_ cut: SyncCutRow) throws {
    try database.run(
      "DELETE FROM sync_cut WHERE session = :session AND from_us = :from AND until_us = :until",
      ["session": cut.session, "from": cut.times.lowerBound, "until": cut.times.upperBound])
  }

  /// Deletes times of sessions that are not deleted yet, and computes the measurements of the changed sessions again from the
  /// remaining events, as each device does: measurements of a live session depend on the deleted beats.
  /// - Returns: The names of their profiles.
  package func apply(_ cuts: [SyncCutRow], sampling: MeasurementSampling) throws -> Set<String> {
    let known = Set(try self.cuts())
    for cut in cuts where !known.contains(cut) {
      guard let id = SessionID(cut.session),
        let session = try SessionDeletion.all(database, .session(id)).first
      else { continue }
      let times = WallTime(microseconds: cut.times.lowerBound)..<WallTime(microseconds: cut.times.upperBound)
      try session.cutting(times).delete(database)
      try SessionCut.insert(database, id, times)
      try SecureErase.begin(database)
    }
    return try measureAgain(sampling)
  }

  /// Computes the measurements of sessions with times that were deleted since the last call.
  private func measureAgain(_ sampling: MeasurementSampling) throws -> Set<String> {
    let changed = try RawStatement(
      database, "SELECT DISTINCT session FROM sync_cut WHERE NOT is_measured", [:]
    )
    .all { $0.text(CutColumn.session) }
    var profiles: Set<String> = []
    for text in changed {
      guard let id = SessionID(text), let session = try SessionDeletion.all(database, .session(id)).first
      else { continue }
      try SessionRemeasurement(database: database, sampling: sampling).run(id)
      try endWithLastEvent(session.number)
      for cut in try cuts() where cut.session == text {
        let times =
          WallTime(microseconds: cut.times.lowerBound)..<WallTime(microseconds: cut.times.upperBound)
        try session.cutting(times).deleteMeasurements(database)
      }
      profiles.insert(session.profile)
    }
    try database.run("UPDATE sync_cut SET is_measured = 1 WHERE NOT is_measured")
    try QuarterHourTable.refresh(database)
    return profiles
  }
}

// MARK: - Times that were deleted before the session was shared

extension SyncRows {
  private enum GapColumn: CInt { case sequence, time, isEnd }

  /// The times of a session that were deleted before it was shared: where the sequence of its events has gaps, and after the last
  /// event if the end of a finished session is missing.
  package func deletedTimes(of session: SessionID) throws -> [SyncCutRow] {
    guard try hasGaps(session), let deletion = try SessionDeletion.all(database, .session(session)).first
    else {
      return []
    }
    var bounds: [(Int64, Int64)] = []
    var (next, last) = (Int64(0), deletion.times.0.microseconds - 1)
    var hasEnd = false
    try RawStatement(
      database,
      """
      SELECT e.sequence, coalesce(e.wall_us, s.started_us + e.ticks / 80), e.kind = \(EventTable.endKind)
      FROM session_event e JOIN session s ON s.number = e.session WHERE s.id = :id ORDER BY e.sequence
      """, ["id": session.text]
    ).reduce(into: ()) { _, row in
      if row.integer(GapColumn.sequence) != next { bounds.append((last + 1, row.integer(GapColumn.time))) }
      (next, last) = (row.integer(GapColumn.sequence) + 1, row.integer(GapColumn.time))
      hasEnd = row.integer(GapColumn.isEnd) != 0
    }
    if !hasEnd { bounds.append((last + 1, deletion.times.1.microseconds + 1)) }
    return bounds.filter { $0.0 < $0.1 }.map {
      SyncCutRow(session: session.text.lowercased(), times: $0.0..<$0.1)
    }
  }

  private func hasGaps(_ session: SessionID) throws -> Bool {
    let statement = try database.statement(
      """
      SELECT (SELECT count(*) FROM session_event WHERE session = s.number) <> last + 1
        OR (s.outcome = 'finished' AND (SELECT kind FROM session_event WHERE session = s.number AND sequence = last)
          <> \(EventTable.endKind))
      FROM (SELECT *, (SELECT max(sequence) FROM session_event WHERE session = number) AS last
        FROM session WHERE id = :id AND outcome IS NOT NULL) s
      """, ["id": session.text])
    return try Bool.fetchOne(statement) ?? false
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
}

/// The record of a deletion of times of a session.
enum SessionCut {
  /// Does nothing unless the session is shared.
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
