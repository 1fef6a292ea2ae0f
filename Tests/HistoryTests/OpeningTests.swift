import GRDB
import Glibc
import HeartRate
import Stress
import Testing

@testable import History

@Suite struct OpeningTests {
  @Test func aReaderCreatesNoFile() throws {
    let history = try TemporaryHistory()
    #expect(try HistoryReader(history.location) == nil)
    #expect(TemporaryHistory.names(in: history.folder) == [])
    mkdir(history.folder + "/data", 0o700)
    mkdir(history.location.folder, 0o700)
    put([], into: history.path)
    #expect(try HistoryReader(history.location) == nil)
    #expect(TemporaryHistory.names(in: history.location.folder) == ["stressmon.db"])
  }

  @Test func writersUseDurableSettings() throws {
    let history = try TemporaryHistory()
    let connection = try StoreConnection.writable(history.location, lockTimeout: .seconds(1))
    let pragmas = ["journal_mode", "synchronous", "secure_delete", "foreign_keys", "temp_store"]
    let values = try connection.read { db in
      try pragmas.map { try DatabaseValue.fetchOne(db, sql: "PRAGMA \($0)")?.description }
    }
    #expect(values == ["\"wal\"", "2", "1", "1", "2"])
  }

  @Test func aCopyWithoutWALIsReadWithoutCreatingFiles() throws {
    let history = try TemporaryHistory()
    try HistoryWriter(history.location).setBaseline(
      .populationDefault, of: "me", at: WallTime(microseconds: 0))
    let copy = try StoreLocation(path: history.folder + "/a copy?.db", environment: [:])
    put(databaseBytes(of: history.path), into: copy.path)
    let before = TemporaryHistory.names(in: history.folder)
    let reader = try HistoryReader(copy)
    #expect(try reader?.baseline(of: "me") == .populationDefault)
    #expect(TemporaryHistory.names(in: history.folder) == before)
    // The same reader sees the changes of a writer that opens the file later.
    try HistoryWriter(copy).removeBaseline(of: "me")
    #expect(try reader?.baseline(of: "me") == nil)
  }

  /// Regression: an intact history was reported as damaged after another program had written its `-wal` into the file and
  /// removed it.
  @Test func aReaderFollowsChangesOfAFileWithoutWAL() async throws {
    let history = try TemporaryHistory()
    try await store(1...1, in: history)
    try removeWAL(of: history)
    let reader = try reader(history)
    for number in UInt64(1)...3 {
      #expect(try reader.sessions(of: nil, limit: 100).count == Int(number))
      #expect(try events(reader, number) == 3000)
      try await store(number + 1...number + 1, in: history)
      try removeWAL(of: history)
    }
    #expect(try reader.integrityFaults() == [])
  }

  @Test func aBackupOfAFileWithoutWALIsComplete() async throws {
    let history = try TemporaryHistory()
    try await store(1...2, in: history)
    try removeWAL(of: history)
    #expect(try HistoryBackup.write(history.location, to: history.folder + "/copy.db"))
    let copy = try StoreLocation(path: history.folder + "/copy.db", environment: [:])
    #expect(try HistoryReader(copy)?.sessions(of: nil, limit: 100).count == 2)
  }

  private func store(_ numbers: ClosedRange<UInt64>, in history: TemporaryHistory) async throws {
    for number in numbers {
      let writer = SessionWriter(.sample(number), at: history.location)
      for index in 0..<3000 { writer.append(notification(index)) }
      #expect(await writer.finish(at: SessionTime(ticks: 0)) == nil)
    }
  }

  private func events(_ reader: HistoryReader, _ number: UInt64) throws -> Int {
    let events = reader.events(of: SessionInfo.sample(number).id)
    let count = events.reduce(0) { count, _ in count + 1 }
    if let failure = events.failure { throw failure }
    return count
  }

  /// Closes the file last, as the program sqlite3 does.
  private func removeWAL(of history: TemporaryHistory) throws {
    try DatabaseQueue(path: history.path).inDatabase { db in
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode")
    }
    for suffix in ["-wal", "-shm"] { unlink(history.path + suffix) }
  }

  @Test func aHistoryOfANewerVersionIsUnchanged() throws {
    let history = try TemporaryHistory()
    _ = try HistoryWriter(history.location)
    try sql(history, "INSERT INTO grdb_migrations VALUES ('99 from the future')")
    let before = databaseBytes(of: history.path)
    expect(.newerThanProgram, history)
    #expect(databaseBytes(of: history.path) == before)
  }

  @Test func aDatabaseOfAnotherProgramIsUnchanged() throws {
    let history = try TemporaryHistory()
    try StoreFiles.prepare(history.location)
    try sql(history, "CREATE TABLE bookmarks (url TEXT)")
    let before = databaseBytes(of: history.path)
    expect(.foreign, history)
    #expect(databaseBytes(of: history.path) == before)
  }

  @Test(arguments: [100, 5000])
  func aFileThatIsNotADatabaseIsRefusedAndUnchanged(size: Int) throws {
    let history = try TemporaryHistory()
    try StoreFiles.prepare(history.location)
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: size)
    put(text, into: history.path)
    expect(.notADatabase, history)
    #expect(databaseBytes(of: history.path) == text)
  }

  @Test func aFolderInPlaceOfTheFileIsReported() throws {
    let history = try TemporaryHistory()
    let error = #expect(throws: HistoryError.self) {
      try HistoryWriter(StoreLocation(path: history.folder, environment: [:]))
    }
    #expect(error?.code == .cannotCreate)
    put([1], into: history.folder + "/file")
    let below = #expect(throws: HistoryError.self) {
      try HistoryWriter(StoreLocation(path: history.folder + "/file/x.db", environment: [:]))
    }
    #expect(below?.code == .cannotCreate)
  }

  @Test(.enabled(if: getuid() != 0, "root ignores permissions"))
  func aFolderWithoutPermissionIsReported() throws {
    let history = try TemporaryHistory()
    let chosen = try StoreLocation(path: history.folder + "/mine/x.db", environment: [:])
    _ = try HistoryWriter(chosen)
    chmod(history.folder + "/mine", 0)
    let written = #expect(throws: HistoryError.self) { try HistoryWriter(chosen) }
    let read = #expect(throws: HistoryError.self) { try HistoryReader(chosen) }
    #expect(written?.code == .permissionDenied && read?.code == .permissionDenied)
    // The mode of the default folder is set.
    _ = try HistoryWriter(history.location)
    chmod(history.location.folder, 0)
    _ = try HistoryWriter(history.location)
    #expect(mode(history.location.folder) == 0o700)
  }

  @Test func aDamagedFileIsReported() async throws {
    let history = try TemporaryHistory()
    let writer = SessionWriter(.sample(), at: history.location)
    for index in 0..<2000 { writer.append(notification(index)) }
    #expect(await writer.finish(at: SessionTime(ticks: 0)) == nil)
    let size = databaseBytes(of: history.path).count
    // The last pages contain events, the first ones the schema.
    put([UInt8](repeating: 0xA5, count: 10 * 4096), into: history.path, at: size - 10 * 4096)
    let reader = try reader(history)
    let events = reader.events(of: SessionInfo.sample().id)
    #expect(events.reduce(0) { count, _ in count + 1 } < 2000)
    #expect(events.failure?.code == .corrupt)
    #expect(events.failure?.description.contains(".recover") == true)
    #expect((try? reader.integrityFaults().isEmpty) != true)
  }

  @Test func aLockIsReportedAfterTheTimeout() async throws {
    let history = try TemporaryHistory()
    _ = try HistoryWriter(history.location)
    let other = try DatabaseQueue(path: history.path)
    try other.inDatabase { db in
      try db.execute(
        sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; INSERT INTO profile (name) VALUES ('x')")
      let error = #expect(throws: HistoryError.self) {
        let connection = try StoreConnection.writable(history.location, lockTimeout: .zero)
        _ = try connection.write { try ProfileTable.number($0, creating: "y") }
      }
      #expect(error?.code == .locked)
      #expect(error?.description.contains("fuser -v") == true)
      try db.execute(sql: "ROLLBACK")
    }
  }

  @Test func aFullDatabaseIsReported() throws {
    let history = try TemporaryHistory()
    let connection = try StoreConnection.writable(history.location, lockTimeout: .zero)
    let error = #expect(throws: HistoryError.self) {
      try connection.write { db in
        try db.execute(sql: "PRAGMA max_page_count = 20")
        for index in 0..<10_000 { _ = try ProfileTable.number(db, creating: "profile \(index)") }
      }
    }
    #expect(error?.code == .diskFull)
    #expect(
      try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM profile") } == 1)
  }

  @Test(arguments: HistoryError.Code.allCases)
  func everyErrorStatesOperationFileAndRemedy(code: HistoryError.Code) {
    let error = HistoryError(code, path: "/a b/it's.db", .write, detail: "message of SQLite")
    let tried =
      code == .ambiguous ? "in the history /a b/it's.db the IDs" : "cannot write the history /a b/it's.db: "
    #expect(error.description.hasPrefix(tried))
    #expect(error.description.contains("(message of SQLite). "))
    #expect(!error.remedy.isEmpty)
    #expect(!error.remedy.contains("/a b") || error.remedy.contains(#"'/a b/it'\''s.db"#))
  }

  private func expect(_ code: HistoryError.Code, _ history: TemporaryHistory) {
    let written = #expect(throws: HistoryError.self) { try HistoryWriter(history.location) }
    let read = #expect(throws: HistoryError.self) { try HistoryReader(history.location) }
    #expect(written?.code == code)
    #expect(read?.code == code)
    #expect(written?.description.contains(history.path) == true)
  }

  private func sql(_ history: TemporaryHistory, _ sql: String) throws {
    let queue = try DatabaseQueue(path: history.path)
    try queue.inDatabase { db in
      try db.execute(sql: sql)
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }
}
