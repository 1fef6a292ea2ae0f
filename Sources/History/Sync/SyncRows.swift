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

  /// Folder, vault ID and name of the vault; nil if the history is in no vault.
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
