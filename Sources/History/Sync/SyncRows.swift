internal import GRDB

/// Reads and changes the state of the sync and the shared rows of a history, within one transaction.
///
/// The rules of the merge are in the module `Sync`.
///
///     try HistoryWriter(location).sync { rows in
///       for deletion in try rows.deletions() { try rows.removeDeletion(of: deletion) }
///     }
package struct SyncRows {
  let database: Database

  fileprivate init(_ database: Database) { self.database = database }
}

extension HistoryReader {
  /// Runs `body` in a read transaction.
  package func sync<T>(_ body: (SyncRows) throws -> T) throws(HistoryError) -> T {
    try read { try body(SyncRows($0)) }
  }
}

extension HistoryWriter {
  /// Runs `body` in a transaction, which is durable when the call returns. An error of `body` rolls it back.
  ///
  /// Overwrites the remains of rows that `body` erased; if another program prevents it, the next program that changes the
  /// history does it.
  /// - Throws: ``HistoryError``, or the error of `body`.
  package func sync<T>(_ body: (SyncRows) throws -> T) throws -> T {
    let result = try connection.writeRethrowing { try body(SyncRows($0)) }
    SecureErase.finishIfDue(connection)
    return result
  }
}

// MARK: - Records

/// The folder and the vault of the history.
package struct SyncVaultRow: Codable, Sendable {
  private var number = 1
  @FreeText package var folder: String
  package var vault: String
  /// The name of this device.
  @FreeText package var name: String

  package init(folder: String, vault: String, name: String) {
    (_folder, self.vault, _name) = (FreeText(folder), vault, FreeText(name))
  }
}

/// A value of the state of this device, without texts of the user.
package struct SyncLedgerRow: Codable, Hashable, Sendable {
  package var kind: String
  /// Unique within the kind.
  @FreeText package var key: String
  @FreeText package var value: String

  package init(kind: String, key: String, value: String) {
    (self.kind, _key, _value) = (kind, FreeText(key), FreeText(value))
  }
}

/// A shared record and the row of the history that contains its values.
package struct SyncRecordRow: Codable, Hashable, Sendable {
  @FreeText package var kind: String
  package var id: String
  /// The number of the row, if the history contains it. For the strap and the settings of a profile, the number of the profile.
  package var row: Int64?

  package init(kind: String, id: String, row: Int64?) {
    (_kind, self.id, self.row) = (FreeText(kind), id, row)
  }
}

/// A version of a field of a shared record.
package struct SyncVersionRow: Codable, Hashable, Sendable {
  @FreeText package var kind: String
  package var id: String
  @FreeText package var field: String
  package var milliseconds: Int64
  package var counter: Int64
  package var device: String
  package var value: FreeText?
  /// The version of the `about.age` of this device that is the first to confirm the receipt; 0 for a change of this device.
  package var about: Int64
  /// The epoch of the key with which it was received.
  package var epoch: Int64

  private enum CodingKeys: String, CodingKey {
    case kind, id, field, counter, device, value, about, epoch
    case milliseconds = "ms"
  }

  package init(
    kind: String, id: String, field: String, milliseconds: Int64, counter: Int64, device: String,
    value: String?, about: Int64, epoch: Int64
  ) {
    (_kind, self.id, _field) = (FreeText(kind), id, FreeText(field))
    (self.milliseconds, self.counter, self.device) = (milliseconds, counter, device)
    (self.value, self.about, self.epoch) = (value.map { FreeText($0) }, about, epoch)
  }
}

extension SyncVaultRow: FetchableRecord, PersistableRecord { static let databaseTableName = "sync_vault" }
extension SyncLedgerRow: FetchableRecord, PersistableRecord { static let databaseTableName = "sync_ledger" }
extension SyncRecordRow: FetchableRecord, PersistableRecord { static let databaseTableName = "sync_record" }
extension SyncVersionRow: FetchableRecord, PersistableRecord { static let databaseTableName = "sync_version" }

// MARK: - Access

extension SyncRows {
  /// Removes the state of the sync.
  package func removeAll() throws {
    for table in ["vault", "ledger", "version", "record", "deletion", "cut"] {
      try database.run("DELETE FROM sync_\(table)")
    }
    try SecureErase.begin(database)
  }

  /// The vault, if the history is in one.
  package func vault() throws -> SyncVaultRow? { try SyncVaultRow.fetchOne(database) }
  package func save(_ vault: SyncVaultRow) throws { try vault.storeReplacing(in: database) }

  package func ledger() throws -> Set<SyncLedgerRow> { try SyncLedgerRow.fetchSet(database) }
  package func save(_ entry: SyncLedgerRow) throws { try entry.storeReplacing(in: database) }

  package func records() throws -> [SyncRecordRow] { try SyncRecordRow.fetchAll(database) }
  package func save(_ record: SyncRecordRow) throws { try record.storeReplacing(in: database) }

  /// Removes the record and its versions.
  package func removeRecord(kind: String, id: String) throws {
    try database.run("DELETE FROM sync_record WHERE kind = :kind AND id = :id", ["kind": kind, "id": id])
  }

  package func versions() throws -> Set<SyncVersionRow> { try SyncVersionRow.fetchSet(database) }

  /// Changes the rows in which the stored state differs from `ledger`.
  package func save(_ ledger: Set<SyncLedgerRow>) throws { try replaceAll(with: ledger) }
  /// Changes the rows in which the stored records differ from `records`. The versions of a removed record are deleted with it.
  package func save(_ records: Set<SyncRecordRow>) throws { try replaceAll(with: records) }
  /// Changes the rows in which the stored versions differ from `versions`, whose records must be stored.
  package func save(_ versions: Set<SyncVersionRow>) throws { try replaceAll(with: versions) }

  private func replaceAll<Record: FetchableRecord & PersistableRecord & Hashable>(
    with records: Set<Record>
  ) throws {
    let stored = try Record.fetchSet(database)
    for record in stored.subtracting(records) { try record.remove(from: database) }
    for record in records.subtracting(stored) { try record.store(in: database) }
  }

  /// The deleted records that triggers recorded since the last sync, without their rows.
  package func deletions() throws -> [SyncRecordRow] {
    try SyncRecordRow.fetchAll(database.statement("SELECT kind, id FROM sync_deletion"))
  }

  package func addDeletion(of record: SyncRecordRow) throws {
    try database.run(
      "INSERT OR IGNORE INTO sync_deletion (kind, id) VALUES (:kind, :id)",
      ["kind": record.kind, "id": record.id])
  }

  package func removeDeletion(of record: SyncRecordRow) throws {
    try database.run(
      "DELETE FROM sync_deletion WHERE kind = :kind AND id = :id", ["kind": record.kind, "id": record.id])
  }
}
