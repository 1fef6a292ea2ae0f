internal import GRDB

/// Removes the remains of deleted rows from the files.
///
/// SQLite overwrites deleted rows (`secure_delete`), but not the copies that it made when it moved rows between pages, and
/// not the `-wal`. `user_version` is 1 until the erasure after a deletion is completed.
enum SecureErase {
  /// Marks the erasure as due. Call it in the transaction of the deletion.
  static func begin(_ db: Database) throws { try db.execute(sql: "PRAGMA user_version = 1") }

  static func isDue(_ db: Database) throws -> Bool {
    try Int.fetchOne(db.statement("PRAGMA user_version")) ?? 0 != 0
  }

  /// Rewrites the file, truncates the `-wal`, and removes the mark of ``begin(_:)``.
  static func finish(_ connection: StoreConnection) throws(HistoryError) {
    try connection.access(.erase) { db in
      try truncateWAL(db, connection.path)
      // A year of measurements is too large for memory. SQLite uses an unlinked temporary file in the folder of the
      // history.
      let quote = UInt8(ascii: "'")
      let folder = connection.folder.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
      try db.execute(sql: "PRAGMA temp_store = FILE")
      try db.execute(sql: "PRAGMA temp_store_directory = '\(String(decoding: folder, as: UTF8.self))'")
      try db.execute(sql: "VACUUM")
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      try truncateWAL(db, connection.path)
      try db.execute(sql: "PRAGMA user_version = 0")
    }
  }

  /// Completes the erasure of a killed program. A failure leaves it to the next program.
  static func finishIfDue(_ connection: StoreConnection) {
    guard (try? connection.read(isDue)) == true else { return }
    try? finish(connection)
  }

  private static func truncateWAL(_ db: Database, _ path: String) throws {
    // The first column is 1 if a reader blocked the checkpoint.
    let isBusy = try Int.fetchOne(db.statement("PRAGMA wal_checkpoint(TRUNCATE)")) != 0
    guard !isBusy else { throw HistoryError(.locked, path: path, .erase) }
  }
}
