import GRDBSQLite

/// The database as seen by another process, through the C interface of SQLite.
final class Database {
  private var handle: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { throw failure() }
    sqlite3_busy_timeout(handle, 30_000)
  }

  deinit { sqlite3_close(handle) }

  /// Runs statements; returns the first column of their rows.
  @discardableResult
  func run(_ sql: String) throws -> [String] {
    let rows = Rows()
    let code = sqlite3_exec(
      handle, sql,
      { rows, _, columns, _ in
        guard let rows else { return 1 }
        let first = columns?[0].map { String(cString: $0) } ?? "NULL"
        Unmanaged<Rows>.fromOpaque(rows).takeUnretainedValue().all.append(first)
        return 0
      }, Unmanaged.passUnretained(rows).toOpaque(), nil)
    guard code == SQLITE_OK else { throw failure() }
    return rows.all
  }

  private final class Rows { var all: [String] = [] }

  private func failure() -> Failure { Failure(words: String(cString: sqlite3_errmsg(handle))) }
  struct Failure: Error { let words: String }
}

extension Home {
  /// Reverts the history to the tables of the first version.
  func makeHistoryOlder() throws {
    try Database(database).run(
      """
      DROP TABLE resting_window; ALTER TABLE measurement DROP COLUMN confidence_rhythm;
      ALTER TABLE measurement DROP COLUMN sensor_class; ALTER TABLE session DROP COLUMN rest_found;
      ALTER TABLE profile DROP COLUMN learns_since_us; DELETE FROM grdb_migrations WHERE identifier LIKE '2 %'
      """)
  }
}
