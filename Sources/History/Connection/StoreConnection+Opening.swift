internal import GRDB
internal import GRDBSQLite
package import Platform

extension StoreConnection {
  /// Opens the history for writing; creates and migrates it if necessary.
  /// - Parameter lockTimeout: How long to wait for a lock of another program.
  static func writable(
    _ location: StoreLocation, lockTimeout: Duration
  ) throws(HistoryError) -> StoreConnection {
    try StoreFiles.prepare(location)
    return try StoreFiles.withFolderLock(location, timeout: lockTimeout) { () throws(HistoryError) in
      let connection = try StoreConnection(location.path, readonly: false, lockTimeout: lockTimeout)
      try connection.snapshot { try connection.validate($0) }
      try connection.access(.open) { try configure($0) }
      try connection.migrate()
      return connection
    }
  }

  /// Opens the history for reading. Returns `nil` if nothing is stored: the file is absent or empty.
  ///
  /// SQLite creates a missing `-wal` and `-shm` when it reads a database in WAL mode. They are missing only if no writer ever
  /// opened the file, for example next to a copied file, or if another program closed it; such a file is read as immutable,
  /// as long as it does not change.
  /// - Parameter allowsOlder: Whether tables of an older version are accepted.
  static func readable(
    _ location: StoreLocation, lockTimeout: Duration, allowsOlder: Bool = false
  ) throws(HistoryError) -> StoreConnection? {
    guard let size = try StoreFiles.size(of: location.path), size > 0 else { return nil }
    let hasWAL = FileIdentity(path: location.path + "-wal") != nil
    let immutable = hasWAL || !supportsURIs ? nil : immutableURI(location.path)
    let connection = try StoreConnection(
      location.path, immutable: immutable, readonly: true, lockTimeout: lockTimeout)
    return try connection.snapshot { db in
      guard try connection.validate(db) else { return nil }
      guard try allowsOlder || Schema.migrator.hasCompletedMigrations(db) else {
        throw HistoryError(.olderThanProgram, path: location.path, .open)
      }
      return connection
    }
  }

  /// Migrates the tables of an older version.
  /// - Throws: ``HistoryError`` with the code `olderThanProgram` if the file is not writable.
  static func migrate(_ location: StoreLocation, lockTimeout: Duration) throws(HistoryError) {
    do throws(HistoryError) {
      _ = try writable(location, lockTimeout: lockTimeout)
    } catch {
      throw migrationError(error, path: location.path)
    }
  }

  /// The error of a reader that could not migrate the tables because of `error`.
  static func migrationError(_ error: HistoryError, path: String) -> HistoryError {
    switch error.code {
    case .readOnly, .permissionDenied, .cannotCreate:
      HistoryError(.olderThanProgram, path: path, .open, detail: error.detail)
    default: error
    }
  }

  /// Runs `body` on one snapshot of the database. GRDB reads the table of migrations in two statements, and another
  /// program may create it in between.
  @discardableResult
  private func snapshot<T>(_ body: (Database) throws -> T) throws(HistoryError) -> T {
    try access(.open) { db in
      try db.beginTransaction(.deferred)
      defer { try? db.rollback() }
      // The snapshot of a deferred transaction is that of its first read.
      try db.run("SELECT count(*) FROM sqlite_master")
      return try body(db)
    }
  }

  /// Whether the database is a history of a supported version (true) or empty (false).
  /// - Throws: ``HistoryError`` with the code `foreign` or `newerThanProgram`.
  private func validate(_ db: Database) throws -> Bool {
    let applicationID = try Int64.fetchOne(db.statement("PRAGMA application_id"))
    let tables = try Int.fetchOne(db.statement("SELECT count(*) FROM sqlite_master"))
    // A writer that was killed at its first write leaves an empty table of migrations and no application ID.
    if applicationID != Schema.applicationID, tables != 0, try !Schema.hasOnlyMigrationTable(db) {
      throw HistoryError(.foreign, path: path, .open)
    }
    if try Schema.migrator.hasBeenSuperseded(db) { throw HistoryError(.newerThanProgram, path: path, .open) }
    return applicationID == Schema.applicationID
  }

  /// Two programs that open a new file at the same time both start the migrations. The second one fails and finds them
  /// completed when it tries again.
  private func migrate() throws(HistoryError) {
    do {
      try migrateOnce()
    } catch  where error.code == .refused {
      try migrateOnce()
    }
  }

  private func migrateOnce() throws(HistoryError) {
    if try snapshot({ try Schema.migrator.hasCompletedMigrations($0) }) { return }
    try migrate(with: Schema.migrator)
  }
}

// MARK: - Settings

extension StoreConnection {
  /// Sets what makes commits durable and overwrites deleted rows, and reads each setting back, because SQLite ignores
  /// settings that it does not support.
  private static func configure(_ db: Database) throws {
    try set(db, "journal_mode", to: "wal")
    try set(db, "synchronous", to: "2", by: "FULL")
    try set(db, "secure_delete", to: "1", by: "ON")
    try set(db, "temp_store", to: "2", by: "MEMORY")
    try set(db, "journal_size_limit", to: "0")
    // The last connection keeps the `-wal` when it closes: readers then need not create it.
    var persist: CInt = 1
    unsafe sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &persist)
  }

  private static func set(_ db: Database, _ pragma: String, to expected: String, by value: String? = nil)
    throws
  {
    try db.execute(sql: "PRAGMA \(pragma) = \(value ?? expected)")
    // As text, also for settings that are integers.
    let actual = try FreeText.fetchOne(db.statement("PRAGMA \(pragma)"))?.text
    guard actual == expected else {
      throw DatabaseError(message: "PRAGMA \(pragma) is \(actual ?? "absent") and not \(expected)")
    }
  }

  private static let supportsURIs = unsafe sqlite3_compileoption_used("USE_URI") != 0

  /// The path as a file URI, with all bytes percent-encoded but letters, digits and `/._-`.
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

extension LibraryVersion {
  package static var sqlite: LibraryVersion {
    LibraryVersion("SQLite", unsafe String(cString: sqlite3_libversion()))
  }
}
