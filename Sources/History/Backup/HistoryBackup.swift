internal import GRDB

/// Copies of a whole history.
package enum HistoryBackup {
  private static let patience = Duration.seconds(30)

  /// Writes a consistent copy of the history to `path`, where no file must be yet, while others go on writing it. The copy
  /// is one file, for its owner alone.
  /// - Returns: False where nothing was ever stored: then there is no copy either.
  @discardableResult
  package static func write(_ location: StoreLocation, to path: String) throws(HistoryError) -> Bool {
    let found = try StoreConnection.readable(location, patience: patience, allowsOlder: true)
    guard let source = found else { return false }
    let target = try StoreLocation(path: path, environment: [:])
    try StoreFiles.prepare(target)
    try source.copy(to: path)
    return true
  }

  /// Puts a copy in the place of a history that holds nothing yet, in one transaction.
  /// - Throws: ``HistoryError`` with the code `notEmpty` where something is stored already: two histories are not mixed.
  ///   Nothing is changed then, nor where the copy is damaged or of a newer program.
  package static func restore(from path: String, to location: StoreLocation) throws(HistoryError) {
    let copy = try StoreLocation(path: path, environment: [:])
    guard let source = try StoreConnection.readable(copy, patience: patience, allowsOlder: true) else {
      throw HistoryError(.notADatabase, path: path, .open)
    }
    let faults = try source.read { db in try Query(db, "PRAGMA quick_check").all { $0.text(0) } }
    guard faults == ["ok"] else { throw HistoryError(.corrupt, path: path, .read, detail: faults.first) }
    let target = try StoreConnection.writable(location, patience: patience)
    let isEmpty = try target.read { db in
      try Query(
        db,
        """
        SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM baseline) + (SELECT count(*) FROM strap)
          + (SELECT count(*) FROM profile WHERE name <> 'me') + (SELECT count(*) FROM journal_entry)
        """
      ).first { $0.integer(0) } == 0
    }
    guard isEmpty else { throw HistoryError(.notEmpty, path: location.path, .write) }
    try source.copy(into: target)
    // A copy of an older program gets the tables of this one.
    _ = try StoreConnection.writable(location, patience: patience)
  }
}
