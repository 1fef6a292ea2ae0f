internal import GRDB

/// What sync reads and changes in a history, within one transaction.
///
/// The rules of the merge are in the module `Sync`. The methods are declared next to the tables that they access.
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

extension SyncRows {
  /// Removes all rows about sync.
  package func removeAll() throws {
    for table in ["vault", "ledger", "version", "record", "deletion", "cut"] {
      try database.run("DELETE FROM sync_\(table)")
    }
    try SecureErase.begin(database)
  }

  /// Folder, vault ID and name of the vault, if the history is in one.
  package func vault() throws -> (folder: String, vault: String, name: String)? {
    let rows = try RawStatement(database, "SELECT folder, vault, name FROM sync_vault", [:]).all { row in
      (row.text(VaultColumn.folder), row.text(VaultColumn.vault), row.text(VaultColumn.name))
    }
    return rows.first
  }

  private enum VaultColumn: CInt { case folder, vault, name }

  package func setVault(folder: String, vault: String, name: String) throws {
    try database.run(
      """
      INSERT INTO sync_vault (number, folder, vault, name) VALUES (1, :folder, :vault, :name)
      ON CONFLICT DO UPDATE SET folder = excluded.folder, vault = excluded.vault, name = excluded.name
      """, ["folder": folder, "vault": vault, "name": name])
  }
}

// MARK: - Ledger

/// The key of an entry of the ledger.
package struct SyncLedgerKey: Hashable, Sendable {
  package var kind: String
  package var key: String

  package init(_ kind: String, _ key: String) { (self.kind, self.key) = (kind, key) }
}

extension SyncRows {
  private enum LedgerColumn: CInt { case kind, key, value }

  /// All entries of the ledger: texts by kind and key, without texts of the user.
  package func ledger() throws -> [SyncLedgerKey: String] {
    try RawStatement(database, "SELECT kind, key, value FROM sync_ledger", [:]).reduce(into: [:]) {
      ledger, row in
      ledger[SyncLedgerKey(row.text(LedgerColumn.kind), row.text(LedgerColumn.key))] = row.text(
        LedgerColumn.value)
    }
  }

  /// Sets one entry of the ledger.
  package func put(_ value: String, for key: SyncLedgerKey) throws {
    try database.run(
      """
      INSERT INTO sync_ledger (kind, key, value) VALUES (:kind, :key, :value)
      ON CONFLICT DO UPDATE SET value = excluded.value
      """, ["kind": key.kind, "key": key.key, "value": value])
  }

  /// Changes the rows in which the stored ledger differs from `ledger`.
  package func save(_ ledger: [SyncLedgerKey: String]) throws {
    let stored = try self.ledger()
    let insertion = try RawStatement(
      database,
      "INSERT INTO sync_ledger (kind, key, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
    )
    for (key, value) in ledger where stored[key] != value {
      for (index, text) in [key.kind, key.key, value].enumerated() {
        try insertion.bind(.text(text), at: CInt(index + 1))
      }
      try insertion.run()
    }
    for key in stored.keys where ledger[key] == nil {
      try database.run(
        "DELETE FROM sync_ledger WHERE kind = :kind AND key = :key", ["kind": key.kind, "key": key.key])
    }
  }
}

// MARK: - Records

/// A shared record and the row of the history that contains its values.
package struct SyncRecordRow: Hashable, Sendable {
  package var kind: String
  package var id: String
  /// The number of the row, if the history contains it. For the strap and the settings of a profile, the number of the profile.
  package var row: Int64?

  package init(kind: String, id: String, row: Int64?) { (self.kind, self.id, self.row) = (kind, id, row) }
}

/// One value that a field of a shared record had.
package struct SyncVersionRow: Hashable, Sendable {
  package var kind: String
  package var id: String
  package var field: String
  package var milliseconds: Int64
  package var counter: Int64
  package var device: String
  package var value: String?
  /// When it was received: a version of the device's `about`, 0 for a change of the device itself.
  package var about: Int64
  /// The epoch of the key with which it was received.
  package var epoch: Int64

  package init(
    kind: String, id: String, field: String, milliseconds: Int64, counter: Int64, device: String,
    value: String?, about: Int64, epoch: Int64
  ) {
    (self.kind, self.id, self.field) = (kind, id, field)
    (self.milliseconds, self.counter, self.device) = (milliseconds, counter, device)
    (self.value, self.about, self.epoch) = (value, about, epoch)
  }
}

extension SyncRows {
  private enum RecordColumn: CInt { case kind, id, row }

  package func records() throws -> [SyncRecordRow] {
    try RawStatement(database, "SELECT kind, id, row FROM sync_record", [:]).all { row in
      SyncRecordRow(
        kind: row.text(RecordColumn.kind), id: row.text(RecordColumn.id),
        row: row.integerOrNil(RecordColumn.row))
    }
  }

  /// Inserts the record or changes its row.
  package func save(_ record: SyncRecordRow) throws {
    try database.run(
      """
      INSERT INTO sync_record (kind, id, row) VALUES (:kind, :id, :row)
      ON CONFLICT DO UPDATE SET row = excluded.row WHERE row IS NOT excluded.row
      """, ["kind": record.kind, "id": record.id, "row": record.row])
  }

  /// Removes the record and its versions.
  package func removeRecord(kind: String, id: String) throws {
    try database.run("DELETE FROM sync_record WHERE kind = :kind AND id = :id", ["kind": kind, "id": id])
  }
}

// MARK: - Versions

extension SyncRows {
  private enum VersionColumn: CInt {
    case number, kind, id, field, milliseconds, counter, device, value, about, epoch
  }

  /// The versions of all fields, with the numbers of their rows.
  private func numberedVersions() throws -> [SyncVersionRow: Int64] {
    try RawStatement(
      database,
      "SELECT number, kind, id, field, ms, counter, device, value, about, epoch FROM sync_version", [:]
    ).reduce(into: [:]) { versions, row in
      let version = SyncVersionRow(
        kind: row.text(VersionColumn.kind), id: row.text(VersionColumn.id),
        field: row.text(VersionColumn.field),
        milliseconds: row.integer(VersionColumn.milliseconds), counter: row.integer(VersionColumn.counter),
        device: row.text(VersionColumn.device), value: row.textOrNil(VersionColumn.value),
        about: row.integer(VersionColumn.about), epoch: row.integer(VersionColumn.epoch))
      versions[version] = row.integer(VersionColumn.number)
    }
  }

  package func versions() throws -> [SyncVersionRow] { Array(try numberedVersions().keys) }

  /// Changes the rows in which the stored versions differ from `versions`, whose records must be stored.
  package func save(_ versions: Set<SyncVersionRow>) throws {
    let stored = try numberedVersions()
    let insertion = try RawStatement(
      database,
      """
      INSERT INTO sync_version (kind, id, field, ms, counter, device, value, about, epoch)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    for version in versions where stored[version] == nil {
      let values: [SQLValue] = [
        .text(version.kind), .text(version.id), .text(version.field), .integer(version.milliseconds),
        .integer(version.counter), .text(version.device), version.value.map { .text($0) } ?? .null,
        .integer(version.about), .integer(version.epoch),
      ]
      for (index, value) in values.enumerated() { try insertion.bind(value, at: CInt(index + 1)) }
      try insertion.run()
    }
    for (version, number) in stored where !versions.contains(version) {
      try database.run("DELETE FROM sync_version WHERE number = :number", ["number": number])
    }
  }
}

// MARK: - Deletions

/// A deletion that triggers recorded since the last sync.
package struct SyncDeletionRow: Hashable, Sendable {
  package var kind: String
  package var id: String

  package init(kind: String, id: String) { (self.kind, self.id) = (kind, id) }
}

extension SyncRows {
  package func deletions() throws -> [SyncDeletionRow] {
    try RawStatement(database, "SELECT kind, id FROM sync_deletion", [:]).all { row in
      SyncDeletionRow(kind: row.text(RecordColumn.kind), id: row.text(RecordColumn.id))
    }
  }

  package func add(_ deletion: SyncDeletionRow) throws {
    try database.run(
      "INSERT OR IGNORE INTO sync_deletion (kind, id) VALUES (:kind, :id)",
      ["kind": deletion.kind, "id": deletion.id])
  }

  package func remove(_ deletion: SyncDeletionRow) throws {
    try database.run(
      "DELETE FROM sync_deletion WHERE kind = :kind AND id = :id", ["kind": deletion.kind, "id": deletion.id])
  }
}
