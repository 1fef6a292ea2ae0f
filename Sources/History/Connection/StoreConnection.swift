internal import GRDB
internal import GRDBSQLite

/// One connection to the database: a serial queue, because one writer and short-lived readers are all there is.
/// docs/store.md says why no pool.
struct StoreConnection: Sendable {
  let path: String
  private let queue: DatabaseQueue
  private let identity: FileIdentity?
  private let isImmutable: Bool

  /// Opens the history for writing; makes it, and brings its tables up to date, where needed.
  /// - Parameter patience: How long to wait for another program's lock.
  static func writable(_ location: StoreLocation, patience: Duration) throws(HistoryError) -> StoreConnection
  {
    try StoreFiles.prepare(location)
    return try StoreFiles.alone(in: location, patience: patience) { () throws(HistoryError) in
      let connection = try StoreConnection(location.path, readonly: false, patience)
      try connection.glance { try connection.recognise($0) }
      try connection.access(.open) { try configure($0) }
      try connection.migrate()
      return connection
    }
  }

  /// Opens the history for reading. Nil when nothing was ever stored: no file, or an empty one.
  ///
  /// A reader of a database in WAL mode makes the `-wal` and `-shm` files where they are missing. They are missing
  /// only where no writer ever was (a copied file, say), and then the file is read as one that does not change.
  /// - Parameter allowsOlder: Whether the tables may be those of an older program.
  static func readable(
    _ location: StoreLocation, patience: Duration, allowsOlder: Bool = false
  ) throws(HistoryError) -> StoreConnection? {
    guard let size = try StoreFiles.size(of: location.path), size > 0 else { return nil }
    let hasWAL = FileIdentity(path: location.path + "-wal") != nil
    let immutable = hasWAL || !usesURIs ? nil : immutableURI(location.path)
    let connection = try StoreConnection(location.path, immutable: immutable, readonly: true, patience)
    return try connection.glance { db in
      guard try connection.recognise(db) else { return nil }
      guard try allowsOlder || Schema.migrator.hasCompletedMigrations(db) else {
        throw HistoryError(.olderThanProgram, path: location.path, .open)
      }
      return connection
    }
  }

  /// Brings the tables of an older program up to date, as a writer would.
  /// - Throws: ``HistoryError`` with the code `olderThanProgram` where nothing may be written.
  static func update(_ location: StoreLocation, patience: Duration) throws(HistoryError) {
    do throws(HistoryError) {
      _ = try writable(location, patience: patience)
    } catch {
      throw refusal(error, toUpdate: location.path)
    }
  }

  /// What a reader says when `error` kept the tables from being brought up to date.
  static func refusal(_ error: HistoryError, toUpdate path: String) -> HistoryError {
    switch error.code {
    case .readOnly, .permissionDenied, .cannotCreate:
      HistoryError(.olderThanProgram, path: path, .open, detail: error.detail)
    default: error
    }
  }

  private init(
    _ path: String, immutable: String? = nil, readonly: Bool, _ patience: Duration
  ) throws(HistoryError) {
    var configuration = Configuration()
    configuration.label = "stressmon.history"
    configuration.readonly = readonly
    configuration.busyMode = .timeout(Double(patience.components.seconds))
    self.path = path
    isImmutable = immutable != nil
    do {
      queue = try DatabaseQueue(path: immutable ?? path, configuration: configuration)
    } catch {
      throw HistoryError(error, path: path, .open)
    }
    identity = FileIdentity(path: path)
  }

  /// Whether the path still names the file that is open.
  var isInPlace: Bool { FileIdentity(path: path) == identity }

  /// Whether what is read through it is what the path names now.
  var isCurrent: Bool { isInPlace && !(isImmutable && FileIdentity(path: path + "-wal") != nil) }

  func read<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
    do { return try queue.read(body) } catch { throw HistoryError(error, path: path, .read) }
  }

  /// Runs `body` in one transaction, which is on the disk when this returns.
  func write<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
    do { return try queue.write(body) } catch { throw HistoryError(error, path: path, .write) }
  }

  /// Copies everything into another database in one transaction of it, which it overwrites.
  func copy(into target: StoreConnection) throws(HistoryError) {
    do { try queue.backup(to: target.queue) } catch { throw HistoryError(error, path: target.path, .write) }
  }

  /// Copies everything into the file at `path`, which holds nothing, or what may be overwritten.
  func copy(to path: String) throws(HistoryError) {
    do {
      let target = try DatabaseQueue(path: path)
      try queue.backup(to: target)
      try target.close()
    } catch {
      throw HistoryError(error, path: path, .write)
    }
  }

  /// The folder that the file lies in.
  var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

  /// Runs `body` outside of a transaction.
  func access<T>(_ attempt: HistoryError.Attempt, _ body: (Database) throws -> T) throws(HistoryError)
    -> T
  {
    do { return try queue.inDatabase(body) } catch { throw HistoryError(error, path: path, attempt) }
  }
}

// MARK: - Opening

extension StoreConnection {
  /// What `body` finds, all of it at one time: GRDB asks twice for the table of migrations where it is missing, and
  /// another program may make it in between.
  @discardableResult
  private func glance<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
    try access(.open) { db in
      try db.beginTransaction(.deferred)
      defer { try? db.rollback() }
      // A transaction sees the file as it is when it first reads from it.
      try Query(db, "SELECT count(*) FROM sqlite_master").run([])
      return try body(db)
    }
  }

  /// Whether the file is a history that this program knows (true) or empty (false).
  private func recognise(_ db: Database) throws -> Bool {
    let mark = try Query(db, "PRAGMA application_id").first { $0.integer(0) }
    let tables = try Query(db, "SELECT count(*) FROM sqlite_master").first { $0.integer(0) }
    // A writer that was killed in its first moment leaves the table of migrations, empty, and no mark yet.
    if mark != Schema.applicationID, tables != 0, try !Schema.migrator.isUntouched(db) {
      throw HistoryError(.foreign, path: path, .open)
    }
    if try Schema.migrator.hasBeenSuperseded(db) { throw HistoryError(.newerThanProgram, path: path, .open) }
    return mark == Schema.applicationID
  }

  /// Sets what makes a commit durable and a deletion real, and reads it back: SQLite ignores what it cannot do.
  private static func configure(_ db: Database) throws {
    try set(db, "journal_mode", to: "wal")
    try set(db, "synchronous", to: "2", by: "FULL")
    try set(db, "secure_delete", to: "1", by: "ON")
    try set(db, "temp_store", to: "2", by: "MEMORY")
    try set(db, "journal_size_limit", to: "0")
    // The `-wal` stays when the last connection closes, so that no reader has to make one.
    var persist: CInt = 1
    sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &persist)
  }

  private static func set(_ db: Database, _ pragma: String, to expected: String, by value: String? = nil)
    throws
  {
    try db.execute(sql: "PRAGMA \(pragma) = \(value ?? expected)")
    let actual = try Query(db, "PRAGMA \(pragma)").first { $0.text(0) }
    guard actual == expected else {
      throw DatabaseError(message: "PRAGMA \(pragma) is \(actual ?? "absent") and not \(expected)")
    }
  }

  /// Two programs that meet a new file at once both begin: the one that comes second finds the work done.
  private func migrate() throws(HistoryError) {
    do {
      try runMigrations()
    } catch  where error.code == .refused {
      try runMigrations()
    }
  }

  private func runMigrations() throws(HistoryError) {
    if try glance({ try Schema.migrator.hasCompletedMigrations($0) }) { return }
    do { try Schema.migrator.migrate(queue) } catch { throw HistoryError(error, path: path, .open) }
  }

  private static let usesURIs = sqlite3_compileoption_used("USE_URI") != 0

  private static func immutableURI(_ path: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var uri = Array("file:".utf8)
    for byte in path.utf8 {
      let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      if isPlain || "/._-".utf8.contains(byte) {
        uri.append(byte)
      } else {
        uri += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: uri, as: UTF8.self) + "?immutable=1"
  }
}

extension DatabaseMigrator {
  /// Whether it began on this database and applied nothing yet.
  fileprivate func isUntouched(_ db: Database) throws -> Bool {
    try Query(db, "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'").first {
      $0.integer(0)
    } == 0
  }
}
