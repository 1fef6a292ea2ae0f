import HeartRate
import History
import Platform
import TestSupport
import Testing

@testable import Fleet

/// Review F2: 500 messages created 1,500 tables.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct SessionLimitsTests {
  private static let day: Int64 = 86_400_000_000

  /// Stores the first message of a session on each of some days. Returns the number of rejected messages.
  private func store(
    _ days: Range<Int64>, from receiver: String = "R1", _ database: QueryStore, in store: inout PartitionStore
  ) throws -> Int {
    let messages = days.flatMap { day in
      let session = CollectedSession("P01", beats: 2, seed: UInt64(day + 1), started: day * Self.day)
      return session.collected([session.begin], from: day + 1, receiver: receiver)
    }
    return try store.store(
      CollectedBatch(messages, study: CollectedSession.study), messages, database.connection
    ).rejected
  }

  private func tables(_ database: QueryStore) throws -> Int64 {
    try database.connection.run(
      "SELECT count(*) FROM pg_class WHERE relispartition AND relkind = 'r' AND relname LIKE 'event%'"
    ).integer(0, 0)
  }

  private var today: Int64 { SystemClock.wall.microseconds / Self.day }

  @Test func oldSessionsAreRejected() throws {
    let database = try QueryStore(acceptingSince: nil)
    var store = PartitionStore(try database.lease())
    #expect(try self.store(0..<500, database, in: &store) == 500)
    #expect(try self.store(today - 31..<today - 28, database, in: &store) == 1)
    #expect(try tables(database) == 2)
    #expect(try database.count("session") == 2)
    let reason = try database.connection.run("SELECT reason FROM rejected WHERE stream_sequence = 5").text(
      0, 0)
    #expect(reason.contains("began on 1970-01-05") && reason.contains("--accept-since DATE"))
  }

  @Test func newDaysAreLimitedByReceiver() throws {
    let database = try QueryStore()
    try SessionLimits.change(
      SessionLimitChanges(newDaysPerHour: 5), study: database.study, database.connection)
    var store = PartitionStore(try database.lease())
    #expect(try self.store(0..<10, database, in: &store) == 5)
    #expect(try tables(database) == 5)
    let reason = try database.connection.run("SELECT reason FROM rejected LIMIT 1").text(0, 0)
    #expect(reason.hasPrefix("the receiver R1 sent sessions of more than 5 new days within an hour"))
    // Days that exist, and those of today, are not new; another receiver has its own limit.
    #expect(try self.store(0..<5, database, in: &store) == 0)
    #expect(try self.store(today - 1..<today + 1, database, in: &store) == 0)
    #expect(try self.store(3..<9, from: "R2", database, in: &store) == 2)
    try database.connection.run("UPDATE new_day SET created = created - interval '61 min'")
    #expect(try self.store(9..<10, database, in: &store) == 0)
    #expect(try database.count("new_day") == 1)
  }

  @Test func sessionsOfOneOldDayDoNotAffectTheOthersOfTheBatch() throws {
    let database = try QueryStore(acceptingSince: 20_000)
    var store = PartitionStore(try database.lease())
    let (old, new) = (CollectedSession("P01", started: 0), CollectedSession("P02", seed: 2))
    let messages =
      old.collected(old.messages(size: 100)) + new.collected(new.messages(size: 100), from: 100)
    let batch = CollectedBatch(messages, study: CollectedSession.study)
    #expect(try store.store(batch, messages, database.connection).rejected == old.messages(size: 100).count)
    #expect(try database.measurements(new) == new.measurements)
  }

  @Test func storedSessionsRemainAccepted() throws {
    let database = try QueryStore()
    let session = CollectedSession("P01", started: 0)
    var store = PartitionStore(try database.lease())
    func collect(_ messages: [FleetMessage]) throws -> PartitionStore.Outcome {
      let messages = session.collected(messages)
      return try store.store(
        CollectedBatch(messages, study: CollectedSession.study), messages, database.connection)
    }
    #expect(try collect([session.begin, session.message(0..<10)]).rejected == 0)
    try SessionLimits.change(
      SessionLimitChanges(firstDay: 20_000), study: database.study, database.connection)
    store = PartitionStore(try database.leaseAgain())
    #expect(try collect([session.message(10..<20)]) == PartitionStore.Outcome(events: 10, rows: 10))
  }

  @Test func widerLimitsReadTheStreamAgain() throws {
    let database = try QueryStore(acceptingSince: 20_000)
    try database.connection.run("UPDATE partition_lease SET replay_from = NULL")
    let replays = { (changes: SessionLimitChanges) in
      try SessionLimits.change(changes, study: database.study, database.connection)
      return try database.connection.run("SELECT count(replay_from) FROM partition_lease").integer(0, 0)
    }
    #expect(try replays(SessionLimitChanges()) == 0)
    #expect(try replays(SessionLimitChanges(firstDay: 20_100, newDaysPerHour: 50)) == 0)
    #expect(try replays(SessionLimitChanges(firstDay: 20_000)) == Int64(FleetSubject.partitions))
  }

  /// A study that contains sessions when the limits are introduced accepts their days.
  @Test func existingStudies() throws {
    let connection = try PostgreSQLConnection(
      PostgreSQLServer.shared.get().database(), settings: FleetSchema.settings)
    try FleetSchema.migrate(connection, FleetSchema.migrations.filter { $0.version < 3 })
    try connection.execute(
      """
      INSERT INTO study (code) VALUES ('a'), ('b');
      INSERT INTO participant (study, code) SELECT number, 'P' FROM study;
      INSERT INTO receiver (study, code) SELECT number, 'R' FROM study;
      INSERT INTO session (id, study, participant, receiver, day, received)
        SELECT 'x', p.study, p.number, r.number, '2026-01-01', '2026-03-02' FROM participant p JOIN receiver r USING (study)
        WHERE p.study = 1;
      """)
    try FleetSchema.migrate(connection)
    let first = try SessionLimits.read(study: 1, connection)
    #expect(EventDays.text(first.firstDay) == "2026-01-01" && first.newDaysPerHour == 100)
    #expect(try abs(SessionLimits.read(study: 2, connection).firstDay - (today - 30)) <= 1)
  }
}
