internal import Localization

/// Removes a participant from PostgreSQL and from the stream, and records it.
///
/// Of participants without a key, backups, the write-ahead log and freed parts of the files of both servers contain the data
/// until they are overwritten (docs/fleet.md).
package struct ParticipantErasure {
  /// What was removed.
  package struct Result: Equatable, Sendable {
    package var sessions: Int64
    package var events: Int64
    package var messages: UInt64
  }

  private let server: NatsURL
  private let connection: PostgreSQLConnection
  private let stream: JetStream
  private let keys: ParticipantKeyFile

  /// Connects to both servers and migrates the database.
  package init(
    _ server: NatsURL, _ database: PostgreSQLURL, _ keys: ParticipantKeyFile
  ) throws(FleetError) {
    (self.server, self.keys) = (server, keys)
    try keys.finishErasure()
    connection = try FleetDatabase.prepared(database)
    stream = try JetStream(server, role: .collector, name: "collect forget")
  }

  /// Removes the data of a participant, named by code or pseudonym, under both of them, and then destroys the key: copies of
  /// the stream, of the write-ahead log and of backups remain unreadable, or without connection to the code. Collectors
  /// acknowledge later messages of the participant without storing them.
  /// - Throws: ``FleetError`` with the code `database` if neither the file of keys, the database nor the stream contains the
  ///   participant.
  package func run(_ participant: FleetCode) throws(FleetError) -> Result {
    let code = try keys.code(of: participant, in: server.study)
    let codes = try keys.storedCodes(of: code, in: server.study)
    var total = Result(sessions: 0, events: 0, messages: 0)
    for stored in codes {
      let result: Result
      do throws(FleetError) {
        result = try remove(stored, isPseudonym: stored != code)
      } catch {
        // Data exist under the code only if a receiver published without a ticket.
        guard error.code == .database, codes.count > 1, stored == code, error == unknown(code) else {
          throw error
        }
        continue
      }
      total.sessions += result.sessions
      total.events += result.events
      total.messages += result.messages
    }
    try keys.forget(code, of: server.study)
    return total
  }

  private func remove(_ participant: FleetCode, isPseudonym: Bool) throws(FleetError) -> Result {
    let messages = try messages(of: participant)
    let count = messages.map(\.count).reduce(0, +)
    // A ticket can be in use before the first message arrives, so an erasure of its pseudonym is always recorded.
    let study = try register(participant, isKnown: isPseudonym || count > 0)
    var result = try removeRows(participant, study)
    guard !messages.isEmpty else { return result }
    for part in messages {
      do throws(FleetError) {
        try stream.purge(part.stream, matching: part.filter)
      } catch {
        throw FleetError(
          error.code,
          Phrase(
            """
            PostgreSQL no longer contains \(participant), but the stream does: \(error); repeat the command
            """))
      }
    }
    result.messages = count
    do throws(PostgreSQLError) {
      try connection.run(
        """
        UPDATE erasure SET stream_purged = now()
        WHERE participant = $1 AND study = (SELECT number FROM study WHERE code = $2)
        """, [.text(participant.text), .text(server.study.text)])
    } catch {
      throw FleetError(
        .database,
        Phrase("cannot record that the stream was purged: \(error.description); repeat the command"))
    }
    return result
  }

  /// The messages of a participant in the stream of the study and in that of earlier versions; without streams that do not exist.
  private func messages(
    of participant: FleetCode
  ) throws(FleetError) -> [(stream: String, filter: String, count: UInt64)] {
    let filters = [
      (server.stream, FleetSubject.filter(participant: participant, study: server.study)),
      (server.earlierStream, FleetSubject.earlierFilter(participant: participant, study: server.study)),
    ]
    var messages: [(String, String, UInt64)] = []
    for (name, filter) in filters {
      if let count = try count(name, filter) { messages.append((name, filter, count)) }
    }
    return messages
  }

  /// The number of messages that match `filter`, if the stream exists.
  private func count(_ name: String, _ filter: String) throws(FleetError) -> UInt64? {
    do throws(FleetError) {
      return try stream.namingViolations { () throws(FleetError) in
        try stream.messages(in: name, matching: filter)
      }
    } catch {
      guard error.code == .noStream else { throw error }
      return nil
    }
  }

  /// The number of the study.
  /// - Throws: ``FleetError`` with the code `database` if neither the database nor the stream contains the participant.
  private func register(_ participant: FleetCode, isKnown: Bool) throws(FleetError) -> Int64 {
    do throws(PostgreSQLError) {
      let isStored = isKnown ? true : try self.isKnown(participant)
      if isStored {
        return try CollectorMembership.register(server.study, connection)
      }
    } catch {
      throw FleetError(
        .database, Phrase("cannot look for \(participant) in PostgreSQL: \(error.description)"))
    }
    throw unknown(participant)
  }

  private func unknown(_ participant: FleetCode) -> FleetError {
    FleetError(
      .database,
      Phrase(
        """
        neither the database nor the stream contains the participant \(participant) of \(server.study), and \
        \(keys.path) does not contain it either; list the codes with: SELECT code FROM stressmon.participant
        """))
  }

  private func removeRows(_ participant: FleetCode, _ study: Int64) throws(FleetError) -> Result {
    do throws(PostgreSQLError) {
      let days = try days(participant, study)
      let result = try connection.transaction { () throws(PostgreSQLError) in
        try remove(participant, study: study)
      }
      // Deleted rows remain in the files until they are vacuumed.
      for table in days.flatMap({ day in EventDays.tables.map { "\($0)_\(EventDays.suffix(day))" } })
        + [
          "session", "participant", "rejected", "minute", "mark", "gap", "link_change", "deleted_range",
        ]
      {
        try connection.execute("VACUUM \(table)")
      }
      return result
    } catch {
      throw FleetError(
        .database, Phrase("cannot remove \(participant) from PostgreSQL: \(error.description)"))
    }
  }

  private func isKnown(_ participant: FleetCode) throws(PostgreSQLError) -> Bool {
    try connection.run(
      """
      SELECT EXISTS (SELECT FROM participant p JOIN study s ON s.number = p.study WHERE s.code = $1 AND p.code = $2)
        OR EXISTS (SELECT FROM erasure e JOIN study s ON s.number = e.study WHERE s.code = $1 AND e.participant = $2)
      """, [.text(server.study.text), .text(participant.text)]
    ).boolean(0, 0)
  }

  private func days(_ participant: FleetCode, _ study: Int64) throws(PostgreSQLError) -> [Int64] {
    let result = try connection.run(
      """
      SELECT DISTINCT s.day - date '1970-01-01' FROM session s JOIN participant p ON p.number = s.participant
      WHERE p.study = $1 AND p.code = $2
      """, [.integer(study), .text(participant.text)])
    return (0..<result.count).map { result.integer($0, 0) }
  }

  /// Removes the rows of a participant, within a transaction. Subjects of earlier versions have no token of the receiver.
  private func remove(_ participant: FleetCode, study: Int64) throws(PostgreSQLError) -> Result {
    try ErasureTable.lock(study: study, connection)
    let key: [PostgreSQLValue] = [.integer(study), .text(participant.text)]
    let sessions =
      "SELECT s.day, s.number FROM session s JOIN participant p ON p.number = s.participant WHERE p.study = $1 AND p.code = $2"
    let count = try connection.run("SELECT count(*) FROM (\(sessions)) x", key).integer(0, 0)
    let events = try EventDays.deleteRows(where: "(day, session) IN (\(sessions))", key, connection)
    try connection.run(
      """
      DELETE FROM rejected WHERE study = $1 AND (
        split_part(subject, '.', CASE WHEN split_part(subject, '.', 6) = '' THEN 3 ELSE 4 END) = $2 OR split_part(message, '/', 1) IN
        (SELECT s.id FROM session s JOIN participant p ON p.number = s.participant WHERE p.study = $1 AND p.code = $2))
      """, key)
    try connection.run("DELETE FROM participant WHERE study = $1 AND code = $2", key)
    try connection.run(
      """
      INSERT INTO erasure (study, participant, sessions, events) VALUES ($1::int, $2, $3, $4)
      ON CONFLICT (study, participant) DO UPDATE SET erased = now(), erased_by = session_user,
        sessions = erasure.sessions + excluded.sessions, events = erasure.events + excluded.events
      """, key + [.integer(count), .integer(events)])
    return Result(sessions: count, events: events, messages: 0)
  }
}

/// The table `erasure`: the participants whose data were removed and are not stored again.
enum ErasureTable {
  /// The key of the advisory lock of erasures, together with the study: "ERAS".
  private static let lockKey: Int64 = 0x4552_4153

  /// Returns the erased participants among `participants`. Blocks concurrent erasures until the transaction ends.
  static func erased(
    among participants: [FleetCode], study: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Set<FleetCode> {
    try connection.run(
      "SELECT pg_advisory_xact_lock_shared($1::int, $2::int)", [.integer(lockKey), .integer(study)])
    var codes = PostgreSQLArray(.text)
    for code in Set(participants) { codes.append(.text(code.text)) }
    let result = try connection.run(
      "SELECT participant FROM erasure WHERE study = $1 AND participant = ANY ($2)",
      [.integer(study), .array(codes)])
    return Set((0..<result.count).compactMap { FleetCode(result.text($0, 0)) })
  }

  /// Waits for the transactions of collectors, and delays new ones until the transaction ends.
  static func lock(study: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run(
      "SELECT pg_advisory_xact_lock($1::int, $2::int)", [.integer(lockKey), .integer(study)])
  }
}
