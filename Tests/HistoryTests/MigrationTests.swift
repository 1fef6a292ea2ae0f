import GRDB
import Glibc
import HeartRate
import Stress
import TestSupport
import Testing

@testable import History

@Suite struct MigrationTests {
  @Test func eachStepLeavesAnIntactDatabase() throws {
    let history = try TemporaryHistory()
    try StoreFiles.prepare(history.location)
    do {
      let queue = try DatabaseQueue(path: history.path)
      for step in Schema.migrator.migrations {
        try Schema.migrator.migrate(queue, upTo: step)
        let faults = try queue.read { db in
          try String.fetchAll(db, sql: "PRAGMA integrity_check")
            + String.fetchAll(db, sql: "PRAGMA foreign_key_check")
        }
        #expect(faults == ["ok"], "\(step)")
      }
    }
    _ = try HistoryWriter(history.location)
    #expect(try reader(history).profiles() == ["me"])
  }

  /// Without a vault, the triggers of step 14 record nothing.
  @Test func deletionsWithoutAVaultAreNotRecorded() throws {
    let history = try TemporaryHistory()
    try StoreFiles.prepare(history.location)
    do {
      let queue = try DatabaseQueue(path: history.path)
      try Schema.migrator.migrate(queue, upTo: "13 names of imported files")
      try queue.write { db in
        try db.execute(
          sql:
            "INSERT INTO journal_entry (profile, time_us, utc_offset_s, note) VALUES (1, 5, 0, 'kept'), (1, 6, 0, 'b')"
        )
      }
    }
    let writer = try HistoryWriter(history.location)
    #expect(try reader(history).journal(of: "me").map(\.note) == ["kept", "b"])
    _ = try HistoryEraser(history.location).delete(
      .journalEntry(2, of: "me"), today: 20_000, at: WallTime(microseconds: 1_795_000_000_000_000))
    let (deletions, records) = try writer.sync { (try $0.deletions(), try $0.records()) }
    #expect(deletions.isEmpty && records.isEmpty)
    #expect(try reader(history).journal(of: "me").map(\.note) == ["kept"])
  }

  @Test func rowsOfTheFirstVersionSurviveAllSteps() throws {
    let history = try TemporaryHistory()
    try StoreFiles.prepare(history.location)
    do {
      let queue = try DatabaseQueue(path: history.path)
      try Schema.migrator.migrate(queue, upTo: Schema.migrator.migrations[0])
      try queue.write { db in
        try db.execute(
          sql: """
            INSERT INTO session (id, profile, source, started_us, zone, utc_offset_s, monotonic_ns, window_ticks,
              metric, judging, baseline_origin, program_version, outcome)
            VALUES ('01KA8M4X000000000000000000', 1, 'strap', 1795000000000000, 'UTC', 0, 0, 4800000000, 'rmssd',
              'provisional', 'prior', '0.1.0', 'finished');
            INSERT INTO measurement (session, profile, time_us, ticks, window_s, stress, beats, normal_beats, confidence)
            VALUES (1, 1, 1795000060000000, 4800000000, 60, 12.5, 60, 60, 0.9)
            """)
        let events = try EventTable.Writer(db, session: 1)
        for (sequence, event) in rest(beats: 150).enumerated() {
          try events.write(event, sequence: sequence)
        }
      }
    }
    let today = Int(1_795_000_000 / 86_400)
    let learned = try BaselineUpdater(history.location).learn(
      "me", today: today, at: WallTime(microseconds: 1_795_000_200_000_000))
    #expect(learned?.days == 1 && learned?.windows == 2)
    let stored = try #require(try reader(history).latestMeasurements(of: "me", limit: 9).first)
    #expect(stored.stress == 12.5 && stored.sensorClass == nil && stored.confidence[.rhythm] == nil)
    #expect(stored.interval == nil && stored.quality == nil)
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test func aFailedStepIsRolledBack() throws {
    var migrator = Schema.migrator
    migrator.registerMigration("fails") { db in
      try db.execute(sql: "CREATE TABLE halfway (x); DELETE FROM profile; SELECT nothing FROM nowhere")
    }
    let queue = try DatabaseQueue()
    #expect(throws: DatabaseError.self) { try migrator.migrate(queue) }
    #expect(try queue.read { try !$0.tableExists("halfway") })
    #expect(try queue.read { try String.fetchAll($0, sql: "SELECT name FROM profile") } == ["me"])
    #expect(try queue.read(migrator.completedMigrations) == Schema.migrator.migrations)
  }

  @Test func aDatabaseWithAnEmptyMigrationTableIsMigrated() throws {
    let history = try TemporaryHistory()
    try StoreFiles.prepare(history.location)
    do {
      let queue = try DatabaseQueue(path: history.path)
      try queue.inDatabase { db in
        try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
      }
    }
    #expect(try HistoryReader(history.location) == nil)
    _ = try HistoryWriter(history.location)
    #expect(try reader(history).profiles() == ["me"])
  }

  @Test(arguments: [false, true])
  func aReaderMigratesAnOlderHistory(copied: Bool) throws {
    let history = try TemporaryHistory()
    try makeOlder(history)
    // A copy without `-wal` is read as immutable until it is migrated.
    if copied { for suffix in ["-wal", "-shm"] { unlink(history.path + suffix) } }
    #expect(try reader(history).profiles() == ["me", "anna"])
    #expect(try reader(history).breathingExercises(of: "anna", limit: 1) == [])
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test func anOlderReadOnlyHistoryIsUnchangedAndItsCopyIsReadable() throws {
    let history = try TemporaryHistory()
    try makeOlder(history)
    let before = databaseBytes(of: history.path)
    let refused = StoreConnection.migrationError(
      HistoryError(.readOnly, path: history.path, .open), path: history.path)
    #expect(refused.code == .olderThanProgram && refused.remedy.contains("export --db \(history.path) --all"))
    #expect(databaseBytes(of: history.path) == before)
    let copy = try StoreLocation(path: history.folder + "/copy.db", environment: [:])
    #expect(try HistoryBackup.write(history.location, to: copy.path))
    #expect(databaseBytes(of: history.path) == before)
    #expect(try HistoryReader(copy)?.profiles() == ["me", "anna"])
  }

  /// A history of the first version with a journal.
  private func makeOlder(_ history: TemporaryHistory) throws {
    try StoreFiles.prepare(history.location)
    let queue = try DatabaseQueue(path: history.path)
    try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = wal") }
    try Schema.migrator.migrate(queue, upTo: Schema.migrator.migrations[2])
    try queue.write { try $0.execute(sql: "INSERT INTO profile (name) VALUES ('anna')") }
    try queue.close()
  }

  @Test func programsThatCreateAHistoryAtTheSameTimeAllOpenIt() async throws {
    let history = try TemporaryHistory()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 1...8 {
        group.addTask {
          let session = SessionWriter(.sample(UInt64(index), profile: "p\(index)"), at: history.location)
          session.append(notification(index))
          #expect(await eventually { session.status == .saved(upTo: notification(index).at) })
        }
      }
      try await group.waitForAll()
    }
    #expect(try reader(history).contents().events == 8)
    #expect(try reader(history).integrityFaults() == [])
  }

  @Test(arguments: 0..<25)
  func openingAHistoryWhileItIsCreatedSucceeds(round: Int) async throws {
    let history = try TemporaryHistory()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for opensToWrite in [true, false, true, false] {
        group.addTask {
          if opensToWrite {
            _ = try HistoryWriter(history.location)
          } else {
            _ = try HistoryReader(history.location)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func deletingAProfileDeletesAllItsRows() async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(profile: "ann"), at: history.location)
    for index in 0..<10 { writer.append(notification(index)) }
    writer.append(SessionEvent(at: notification(10).at, .link(.init(.lost))))
    _ = await writer.finish(at: notification(10).at)
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    try connection.write { try $0.execute(sql: "DELETE FROM profile WHERE name = 'ann'") }
    for table in ["session", "session_event", "link_change", "measurement"] {
      #expect(
        try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0)
    }
  }
}
