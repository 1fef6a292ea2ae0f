internal import GRDB

/// Makes sure that deleted rows leave nothing in the files.
///
/// SQLite overwrites what is deleted (`secure_delete`), but not every copy that it made when it moved rows from page to
/// page, and not what the `-wal` holds. `user_version` says that a deletion was not followed to its end.
enum SecureErase {
  /// To be called in the transaction that deletes.
  static func begin(_ db: Database) throws { try db.execute(sql: "PRAGMA user_version = 1") }

  static func isDue(_ db: Database) throws -> Bool {
    try Query(db, "PRAGMA user_version").first { $0.integer(0) } ?? 0 != 0
  }

  /// Writes the file anew, empties the `-wal`, and takes the mark of ``begin(_:)`` away.
  static func finish(_ connection: StoreConnection) throws(HistoryError) {
    try connection.access(.erase) { db in
      try emptyLog(db, connection.path)
      // A year of measurements is too large for memory: what is kept goes through a file in the history's own folder,
      // which has no name there and ends with the program.
      let quote = UInt8(ascii: "'")
      let folder = connection.folder.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
      try db.execute(sql: "PRAGMA temp_store = FILE")
      try db.execute(sql: "PRAGMA temp_store_directory = '\(String(decoding: folder, as: UTF8.self))'")
      try db.execute(sql: "VACUUM")
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      try emptyLog(db, connection.path)
      try db.execute(sql: "PRAGMA user_version = 0")
    }
  }

  /// What a killed program left to do; a failure leaves it to the next one.
  static func finishIfDue(_ connection: StoreConnection) {
    guard (try? connection.read(isDue)) == true else { return }
    try? finish(connection)
  }

  private static func emptyLog(_ db: Database, _ path: String) throws {
    let isBusy = try Query(db, "PRAGMA wal_checkpoint(TRUNCATE)").first { $0.integer(0) } != 0
    guard !isBusy else { throw HistoryError(.locked, path: path, .erase) }
  }
}
