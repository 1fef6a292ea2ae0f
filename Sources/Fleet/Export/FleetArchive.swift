internal import HeartRate
package import History
internal import Localization
internal import Platform
internal import SessionData

/// Reads the sessions of a participant from PostgreSQL. A user with the role `stressmon_reader` is sufficient.
package struct FleetArchive {
  /// A session of the archive.
  package struct Entry: Equatable, Sendable {
    package var id: SessionID
    /// Number of stored events that cannot be exported, because events before them are missing.
    package var waiting: Int64
    fileprivate var number: Int64
    /// The number of the first event that was not processed. Deleted events before it are missing.
    fileprivate var events: Int64
    fileprivate var header: [UInt8]
    fileprivate var ended: WallTime?
  }

  private let connection: PostgreSQLConnection

  package init(_ url: PostgreSQLURL) throws(FleetError) {
    connection = try FleetDatabase.opened(
      url, readOnly: true, settings: [("search_path", "\(FleetSchema.name), pg_catalog")])
  }

  /// The sessions of a participant whose settings were received, by time.
  /// - Parameter codes: The codes under which the participant is stored.
  package func sessions(of codes: [FleetCode], in study: FleetCode) throws(FleetError) -> [Entry] {
    var participants = PostgreSQLArray(.text)
    for code in codes { participants.append(.text(code.text)) }
    return try reading(Phrase("cannot list the sessions of the participant")) { () throws(PostgreSQLError) in
      let result = try connection.run(
        """
        SELECT s.id, s.number, s.next, s.highest, s.header, s.ended FROM session s
        JOIN participant p ON p.number = s.participant JOIN study t ON t.number = s.study
        WHERE t.code = $1 AND p.code = ANY ($2) AND s.header IS NOT NULL ORDER BY s.started, s.id
        """, [.text(study.text), .array(participants)])
      return (0..<result.count).compactMap { row in
        SessionID(result.text(row, 0)).map { id in
          Entry(
            id: id, waiting: result.integer(row, 3) - result.integer(row, 2), number: result.integer(row, 1),
            events: result.integer(row, 2), header: result.bytes(row, 4), ended: result.timeOrNil(row, 5))
        }
      }
    }
  }

  /// Reads a session with its events.
  package func session(_ entry: Entry) throws(FleetError) -> ImportedSession {
    try reading(Phrase("cannot read the session \(entry.id.description)")) { () throws(PostgreSQLError) in
      guard let file = SessionTable.session(entry.header), let header = file.header
      else {
        throw PostgreSQLError(
          state: PostgreSQLError.PrivateState.invalidStoredData, "its header is not valid")
      }
      var content = FileSession(start: file.start, strap: header.strap)
      let day = SessionDay.day(of: entry.id)
      var next: Int64 = 0
      while next < entry.events {
        let page = try FleetEventTable.page(
          day: day, session: entry.number, from: next,
          limit: min(FleetEventTable.pageSize, entry.events - next),
          connection
        ).filter { $0.sequence < entry.events }
        guard let last = page.last else {
          throw PostgreSQLError(
            state: PostgreSQLError.PrivateState.invalidStoredData, "stored events are missing")
        }
        content.events += page.map(\.event)
        next = last.sequence + 1
      }
      return Self.imported(entry, content, header, file.provenance ?? SessionProvenance())
    }
  }

  private static func imported(
    _ entry: Entry, _ content: FileSession, _ header: RecordingHeader, _ provenance: SessionProvenance
  ) -> ImportedSession {
    let started = header.started ?? SessionDay.start(SessionDay.day(of: entry.id))
    let info = SessionInfo(
      id: entry.id, profile: header.profile,
      source: provenance.source.flatMap(SessionInfo.Source.init(rawValue:)) ?? .imported, strap: header.strap,
      started: started, zone: header.zone ?? "UTC", utcOffset: provenance.utcOffset ?? 0,
      monotonicNanoseconds: provenance.monotonicNanoseconds ?? 0, settings: header.settings,
      baseline: header.baseline, programVersion: header.program ?? "", engine: header.engine)
    return ImportedSession(
      info: info, fingerprint: content.fingerprint, format: "jsonl", events: content.events,
      ended: entry.ended, readings: provenance.readings)
  }

  private func reading<Value>(
    _ attempt: Phrase, _ body: () throws(PostgreSQLError) -> Value
  ) throws(FleetError) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw FleetError(.database, Phrase("\(attempt): \(error.description)"))
    }
  }
}
