internal import Foundation
internal import GRDB
package import HeartRate
internal import Platform

/// A session read from a file, to be stored with ``HistoryImport``. Its texts are limited (`TextLimit`), and its profile and strap
/// have printable names.
package struct ImportedSession: Sendable {
  package var info: SessionInfo
  /// Identifies the content. The same content is stored once per profile, independent of the name of the file.
  package var fingerprint: [UInt8]
  /// The name of the file format.
  package var format: String
  /// The name of the file without its folder. Standard input has none.
  package var file: String?
  /// By time; the last one is the end event if the session has an end.
  package var events: [SessionEvent]
  /// The end of the session. The default is the time of the last event.
  package var ended: WallTime?
  /// The times of the readings of a session of `measure`, which are its only measurements to store. Other sessions have none.
  package var readings: [SessionTime]?

  package init(
    info: SessionInfo, fingerprint: [UInt8], format: String, file: String? = nil, events: [SessionEvent],
    ended: WallTime? = nil, readings: [SessionTime]? = nil
  ) {
    self.info = info
    self.info.profile = info.profile.asProfileName ?? info.profile
    self.info.strap = info.strap.map(\.withPrintableName)
    self.fingerprint = fingerprint
    self.format = format
    self.file = file
    self.events = events
    self.ended = ended
    self.readings = readings
  }

  /// The result of storing the session.
  package enum Outcome: Equatable, Sendable {
    /// Stored, with this number of measurements.
    case stored(measurements: Int)
    /// Not stored, because the history contains it as the session with this ID.
    case known(SessionID)
  }
}

extension StrapIdentity {
  var withPrintableName: StrapIdentity {
    StrapIdentity(address: address.asStrapName, name: name?.asStrapName)
  }
}

extension SessionEvent {
  /// The event with texts of limited length and a printable name of the strap.
  var withLimitedTexts: SessionEvent {
    var event = self
    switch kind {
    case .mark(let text): event.kind = .mark(text.limited(to: TextLimit.mark))
    case .link(let change):
      event.kind = .link(
        LinkChange(
          change.state, strap: change.strap?.withPrintableName,
          reason: change.reason?.limited(to: TextLimit.mark)))
    case .stream(var change):
      change.reason = change.reason?.limited(to: TextLimit.mark)
      event.kind = .stream(change)
    case .notification, .interval, .battery, .sensorFrame, .end: return self
    }
    return event
  }
}

extension HistoryReader {
  /// The stored session with the ID or the content of `session`, if there is one.
  package func duplicate(of session: ImportedSession) throws(HistoryError) -> SessionID? {
    try read { try ImportRecord.duplicate($0, of: session) }
  }
}

/// A row of the table `import`.
struct ImportRecord: Codable, PersistableRecord {
  static let databaseTableName = "import"

  /// Number of the session.
  var session: Int64
  var fingerprint: Data
  var format: String
  var file: FreeText?
  var imported: Int64

  enum CodingKeys: String, CodingKey {
    case session, fingerprint, format, file
    case imported = "imported_us"
  }

  /// - Parameter number: Number of the session.
  init(_ session: ImportedSession, number: Int64, at time: WallTime) {
    self.session = number
    fingerprint = Data(session.fingerprint)
    format = session.format
    file = session.file.map(FreeText.init)
    imported = time.microseconds
  }

  /// A session is a duplicate if its ID, which recordings contain, is stored, or if its content is stored for its profile.
  static func duplicate(_ db: Database, of session: ImportedSession) throws -> SessionID? {
    let statement = try db.statement(
      """
      SELECT id FROM session WHERE id = :id
      UNION ALL
      SELECT s.id FROM import i JOIN session s ON s.number = i.session JOIN profile p ON p.number = s.profile
      WHERE i.fingerprint = :fingerprint AND p.name = :profile
      LIMIT 1
      """,
      [
        "id": session.info.id.text, "fingerprint": Data(session.fingerprint), "profile": session.info.profile,
      ])
    return try String.fetchOne(statement).map(SessionID.init(stored:))
  }
}
