import History
import Testing

@testable import Fleet

/// A migrated database with one study.
struct QueryStore {
  let url: PostgreSQLURL
  let connection: PostgreSQLConnection
  let study: Int64

  /// - Parameters:
  ///   - url: An existing database; nil for a new one.
  ///   - firstDay: The first day of sessions; nil for the default of a study. Fixtures have fixed days.
  init(_ url: PostgreSQLURL? = nil, acceptingSince firstDay: Int64? = 0) throws {
    self.url = try url ?? PostgreSQLServer.shared.get().database()
    try FleetDatabase.migrate(self.url)
    connection = try FleetDatabase.connect(self.url)
    study = try CollectorMembership.register(CollectedSession.study, connection)
    try SessionLimits.change(SessionLimitChanges(firstDay: firstDay), study: study, connection)
  }

  func lease(_ id: String = "a") throws -> PartitionLease {
    try #require(try CollectorMembership(study: study, id: id, host: "h").acquire(connection))
  }

  /// The lease of a collector that takes over the partition at once.
  func leaseAgain() throws -> PartitionLease {
    try connection.run("UPDATE partition_lease SET owner = NULL, expires = '-infinity'")
    return try lease()
  }

  /// Stores messages as one batch.
  @discardableResult
  func store(
    _ messages: [CollectedMessage], in store: inout PartitionStore
  ) throws -> PartitionStore.Outcome {
    try store.store(CollectedBatch(messages, study: CollectedSession.study), messages, connection)
  }

  func count(_ table: String) throws -> Int64 {
    try connection.run("SELECT count(*) FROM \(table)").integer(0, 0)
  }

  /// The stored measurements of a session in the form of ``CollectedSession/measurements``.
  func measurements(_ session: CollectedSession) throws -> [[UInt64]] {
    let names = MeasurementColumns.names.filter { $0 != "sensor_class" }
    let result = try connection.run(
      """
      SELECT \(names.map { "m.\($0)" }.joined(separator: ", ")) FROM measurement m
      JOIN session s ON s.number = m.session AND s.day = m.day WHERE s.id = $1 ORDER BY m.ticks
      """, [.text(session.id.text)])
    return (0..<result.count).map { row in
      names.indices.map { result.integerOrNil(row, $0).map { UInt64(bitPattern: $0) } ?? 0xFFF }
    }
  }

  /// The stored events of a session.
  func events(_ session: CollectedSession) throws -> [CollectedEvent] {
    let number = try connection.run("SELECT number FROM session WHERE id = $1", [.text(session.id.text)])
      .integer(0, 0)
    return try FleetEventTable.page(
      day: SessionDay.day(of: session.id), session: number, from: 0, limit: 1_000_000, connection)
  }

  /// Everything that the session consists of, for comparing two databases.
  func digest(_ session: CollectedSession) throws -> String {
    try connection.run(
      """
      SELECT concat_ws('|', (SELECT md5(string_agg(concat_ws(',', ordinal, time, ticks, rr_ticks, follows_break, verdict), ';' ORDER BY ordinal))
          FROM beat WHERE session = s.number),
        (SELECT md5(string_agg(concat_ws(',', minute, beats, normal_beats, normal_ticks, differences, squared_differences), ';' ORDER BY minute))
          FROM minute WHERE session = s.number),
        (SELECT md5(string_agg(concat_ws(',', ordinal, time, start_ticks, end_ticks, cause), ';' ORDER BY ordinal)) FROM gap WHERE session = s.number),
        (SELECT md5(string_agg(concat_ws(',', sequence, time, text), ';')) FROM mark WHERE session = s.number),
        (SELECT md5(string_agg(concat_ws(',', sequence, time, state, strap), ';' ORDER BY sequence)) FROM link_change WHERE session = s.number),
        s.next, s.highest, s.beats, s.normal_beats, s.gaps, s.rr_ticks, s.last_ticks, s.outcome, s.total)
      FROM session s WHERE s.id = $1
      """, [.text(session.id.text)]
    ).text(0, 0)
  }
}
