internal import GRDB
package import HeartRate

/// A session from a file, on its way into the history.
package struct ImportedSession: Sendable {
  package var info: SessionInfo
  /// What tells its content from any other. The same content is stored once for a profile, whatever the file is called.
  package var fingerprint: [UInt8]
  /// What the file was written in.
  package var format: String
  /// In the order of their times; the last one is the end, unless the session had none.
  package var events: [SessionEvent]
  /// When it was ended; nil: with its last event.
  package var ended: WallTime?

  package init(
    info: SessionInfo, fingerprint: [UInt8], format: String, events: [SessionEvent], ended: WallTime? = nil
  ) {
    self.info = info
    self.fingerprint = fingerprint
    self.format = format
    self.events = events
    self.ended = ended
  }

  /// What became of it.
  package enum Outcome: Equatable, Sendable {
    /// So many measurements were stored with it.
    case stored(measurements: Int)
    /// The history holds it already, under this name.
    case known(SessionID)
  }
}

extension HistoryReader {
  /// The session that holds what `session` does; nil when none does.
  package func twin(of session: ImportedSession) throws(HistoryError) -> SessionID? {
    try read { try ImportRow.twin($0, of: session) }
  }
}

/// How an import lies in the table `import`.
enum ImportRow {
  /// A session is known by its name, which travels with recordings, or by what is in it.
  static func twin(_ db: Database, of session: ImportedSession) throws -> SessionID? {
    try Query(
      db,
      """
      SELECT id FROM session WHERE id = ?1
      UNION ALL
      SELECT s.id FROM import i JOIN session s ON s.number = i.session JOIN profile p ON p.number = s.profile
      WHERE i.fingerprint = ?2 AND p.name = ?3
      LIMIT 1
      """
    ).first(.text(session.info.id.text), .blob(session.fingerprint), .text(session.info.profile)) {
      SessionID(stored: $0.text(0))
    }
  }

  static func insert(_ db: Database, _ session: ImportedSession, number: Int64, at time: WallTime) throws {
    try Query(db, "INSERT INTO import (session, fingerprint, format, imported_us) VALUES (?, ?, ?, ?)").run(
      .integer(number), .blob(session.fingerprint), .text(session.format), .integer(time.microseconds))
  }
}
