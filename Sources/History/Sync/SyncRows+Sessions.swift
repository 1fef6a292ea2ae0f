internal import Foundation
internal import GRDB
package import HeartRate

/// A session of the history, as far as sync needs it.
package struct SyncSessionRow: Sendable {
  package var id: SessionID
  /// The number of its profile.
  package var profile: Int64
  /// That of the file from which it was imported; nil for other sessions.
  package var fingerprint: [UInt8]?
  /// False while it is running, and after its program was killed until the next session of the profile starts.
  package var hasEnded: Bool
  /// Whether it has measurements that are not readings.
  package var isSampled: Bool
  /// The latest event; nil without events.
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
