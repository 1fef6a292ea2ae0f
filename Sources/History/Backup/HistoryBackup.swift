internal import GRDB

/// Writes and restores copies of a complete history.
package enum HistoryBackup {
  private static let lockTimeout = Duration.seconds(30)

  /// Writes a consistent copy of the history to `path`, where no file may exist. Other programs can write the history
  /// meanwhile. The copy is one file with mode 0600.
  /// - Returns: False if nothing is stored; no copy is written then.
  @discardableResult
  package static func write(_ location: StoreLocation, to path: String) throws(HistoryError) -> Bool {
    let target = try StoreLocation(path: path, environment: [:])
    // A file that is read as immutable can change meanwhile.
    for _ in 0..<3 {
      let found = try StoreConnection.readable(location, lockTimeout: lockTimeout, allowsOlder: true)
      guard let source = found else { return false }
      try StoreFiles.prepare(target)
      try source.copy(to: path)
      if source.isConsistent { return true }
    }
    throw HistoryError(.locked, path: location.path, .read)
  }

  /// Copies a backup into an empty history, in one transaction.
  /// - Throws: ``HistoryError``, with the code `notEmpty` if the history is not empty, because two histories cannot be merged.
  ///   The history is not changed then, nor if the copy is damaged or was written by a newer version.
  package static func restore(from path: String, to location: StoreLocation) throws(HistoryError) {
    let copy = try StoreLocation(path: path, environment: [:])
    guard let source = try StoreConnection.readable(copy, lockTimeout: lockTimeout, allowsOlder: true) else {
      throw HistoryError(.notADatabase, path: path, .open)
    }
    let faults = try source.read { try FreeText.fetchAll($0.statement("PRAGMA quick_check")).map(\.text) }
    guard faults == ["ok"] else { throw HistoryError(.corrupt, path: path, .read, detail: faults.first) }
    let target = try StoreConnection.writable(location, lockTimeout: lockTimeout)
    guard try target.read(isEmpty) else { throw HistoryError(.notEmpty, path: location.path, .write) }
    try source.copy(into: target)
    // Migrates a copy of an older version.
    _ = try StoreConnection.writable(location, lockTimeout: lockTimeout)
  }

  private static func isEmpty(_ db: Database) throws -> Bool {
    let rows = try db.statement(
      """
      SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM baseline) + (SELECT count(*) FROM strap)
        + (SELECT count(*) FROM profile WHERE name <> 'me') + (SELECT count(*) FROM journal_entry)
      """)
    return try Int.fetchOne(rows) == 0
  }
}
