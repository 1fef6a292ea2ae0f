import History
import TestSupport
import Testing

@testable import Fleet

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct SchemaTests {
  private let server: PostgreSQLServer
  private let url: PostgreSQLURL

  init() throws {
    server = try PostgreSQLServer.shared.get()
    url = try server.database()
  }

  private func connection() throws -> PostgreSQLConnection {
    try PostgreSQLConnection(url, settings: FleetSchema.settings)
  }

  @Test func migrationsRunOnce() throws {
    let connection = try connection()
    #expect(try FleetSchema.migrate(connection) == FleetSchema.migrations.map(\.version))
    #expect(try FleetSchema.migrate(self.connection()) == [])
    #expect(try FleetSchema.version(connection) == FleetSchema.version)
  }

  @Test func aMigrationThatFailsChangesNothing() throws {
    let bad = FleetSchema.Migration(
      version: 98, title: "bad", sql: "CREATE TABLE extra (a int); SELECT nonsense")
    let connection = try connection()
    let error = #expect(throws: FleetSchemaError.self) {
      try FleetSchema.migrate(connection, FleetSchema.migrations + [bad])
    }
    #expect(error?.code == .migration)
    #expect(try FleetSchema.version(connection) == FleetSchema.version)
    #expect(try !EventDays.exists("extra", connection))
  }

  @Test func aNewerSchemaIsAnError() throws {
    let newer = FleetSchema.Migration(version: 99, title: "future", sql: "")
    let connection = try connection()
    try FleetSchema.migrate(connection, FleetSchema.migrations + [newer])
    let error = #expect(throws: FleetSchemaError.self) { try FleetSchema.migrate(self.connection()) }
    #expect(error?.code == .newer)
    #expect(error?.description.contains("update stressmon") == true)
  }

  @Test func measurementsHaveEveryColumnOfTheHistory() throws {
    let connection = try connection()
    try FleetSchema.migrate(connection)
    let result = try connection.run(
      "SELECT attname::text FROM pg_attribute WHERE attrelid = 'measurement'::regclass AND attnum > 0")
    let columns = Set((0..<result.count).map { result.text($0, 0) })
    #expect(Set(MeasurementColumns.names).subtracting(columns) == [])
  }

  @Test func daysArePartitions() throws {
    let connection = try connection()
    try FleetSchema.migrate(connection)
    for day in [0, 20_780, 20_781] as [Int64] { try EventDays.create(day, connection) }
    try EventDays.create(20_781, connection)
    #expect(EventDays.text(20_780) == "2026-11-23")
    #expect(try EventDays.exists("event_20261123", connection))
    try connection.run(
      "INSERT INTO event VALUES ('2026-11-23', 1, 0, 0, NULL, 1, '')")
    try connection.transaction { () throws(PostgreSQLError) in try EventDays.drop(20_780, connection) }
    #expect(try connection.run("SELECT count(*) FROM event").integer(0, 0) == 0)
    #expect(try !EventDays.exists("beat_20261123", connection))
  }

  @Test func readersSeeTheirStudiesOnly() throws {
    let connection = try connection()
    try FleetSchema.migrate(connection)
    let role = "reader_\(UInt32.random(in: 0 ... .max))"
    try connection.run("SELECT set_config('role', 'none', false)")
    try connection.execute(
      """
      CREATE ROLE \(role) LOGIN IN ROLE stressmon_reader;
      INSERT INTO study (code) VALUES ('a'), ('b');
      INSERT INTO participant (study, code) SELECT number, 'P' || code FROM study;
      INSERT INTO receiver (study, code) SELECT number, 'R' FROM study;
      INSERT INTO session (id, study, participant, receiver, day)
        SELECT p.code, p.study, p.number, r.number, '2026-11-23' FROM participant p JOIN receiver r USING (study);
      INSERT INTO minute SELECT number, '2026-11-23', 60, 60, 1, 59, 1 FROM session;
      CREATE TABLE event_d PARTITION OF event DEFAULT;
      CREATE TABLE beat_d PARTITION OF beat DEFAULT;
      CREATE TABLE measurement_d PARTITION OF measurement DEFAULT;
      INSERT INTO event SELECT day, number, 0, 0, NULL, 1, '' FROM session;
      INSERT INTO beat SELECT day, number, 0, now(), 0, 64000000, false, 'normal' FROM session;
      INSERT INTO measurement (day, session, ticks, time, window_s, beats, normal_beats, engine, is_reading, is_paced, confidence)
        SELECT day, number, 0, now(), 30, 1, 1, 1, 0, 0, 1 FROM session;
      INSERT INTO gap SELECT number, 0, now(), 0, 1, 'link' FROM session;
      INSERT INTO mark SELECT number, 0, now(), 0, id FROM session;
      INSERT INTO link_change SELECT number, 0, now(), 0, 'lost', NULL FROM session;
      INSERT INTO deleted_range SELECT number, 1, 2 FROM session;
      INSERT INTO erasure (study, participant, sessions, events) SELECT number, 'E' || code, 0, 0 FROM study;
      INSERT INTO study_member VALUES ('\(role)', 'a'), ('deleted role', 'b');
      """)
    let reader = try PostgreSQLConnection(
      server.url(connection.run("SELECT current_database()::text").text(0, 0), user: role),
      settings: FleetSchema.settings)
    let tables = [
      "study", "participant", "receiver", "session", "event", "beat", "measurement", "gap", "mark",
      "link_change",
      "minute", "deleted_range", "erasure", "study_member", "rmssd_per_minute", "coverage_per_receiver",
      "gaps_per_receiver", "live_now", "beats",
    ]
    for table in tables {
      #expect(try reader.run("SELECT count(*) FROM \(table)").integer(0, 0) == 1, "\(table)")
    }
    #expect(try reader.run("SELECT participant FROM rmssd_per_minute").text(0, 0) == "Pa")
    let error = #expect(throws: PostgreSQLError.self) { try reader.execute("DELETE FROM session") }
    #expect(error?.state == "42501")
    for table in [
      "rejected", "partition_lease", "collector", "new_day", "event_d", "beat_d", "measurement_d",
    ] {
      let error = #expect(throws: PostgreSQLError.self) { try reader.execute("SELECT * FROM \(table)") }
      #expect(error?.state == "42501", "\(table)")
    }
  }
}
