// Steps 14 to 16. Released steps are never edited.
extension Schema {
  /// Step 14: the state of the encrypted sync (docs/design/sync.md).
  ///
  /// Texts of the user are only in `sync_version`. The triggers delete them in the transaction that deletes the row that they
  /// belong to, and leave the identifier in `sync_deletion`, from which the next sync creates the tombstone.
  static let sync =
    """
    CREATE TABLE sync_vault (
      number INTEGER PRIMARY KEY CHECK (number = 1),
      folder TEXT NOT NULL,
      vault TEXT NOT NULL,
      name TEXT NOT NULL
    ) STRICT;
    CREATE TABLE sync_ledger (
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (kind, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sync_record (
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      row INTEGER,
      PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sync_record_of_row ON sync_record (kind, row);
    CREATE TABLE sync_version (
      number INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      field TEXT NOT NULL,
      ms INTEGER NOT NULL,
      counter INTEGER NOT NULL,
      device TEXT NOT NULL,
      value TEXT,
      FOREIGN KEY (kind, id) REFERENCES sync_record ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX sync_version_of_record ON sync_version (kind, id);
    CREATE TABLE sync_deletion (
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sync_cut (
      session TEXT NOT NULL,
      from_us INTEGER NOT NULL,
      until_us INTEGER NOT NULL,
      is_measured INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (session, from_us, until_us)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER sync_session_deletion AFTER DELETE ON session BEGIN
      INSERT OR IGNORE INTO sync_deletion (kind, id)
        SELECT 'session', key FROM sync_ledger WHERE kind = 'held' AND key = lower(OLD.id);
      DELETE FROM sync_cut WHERE session = lower(OLD.id);
    END;
    \(syncDeletion("journal_entry", "id", ["journal"]))
    \(syncDeletion("breathing", "id", ["breathing"]))
    \(syncDeletion("morning_reading", "id", ["morning"]))
    \(syncDeletion("profile", "number", ["profile", "strap", "setting"]))
    """

  /// Step 16: when and with which key a version was received. Stored versions count as those of this device.
  static let syncReceipts =
    """
    ALTER TABLE sync_version ADD COLUMN about INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE sync_version ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
    """

  /// A trigger that records the deletion of the shared records of a row.
  static func syncDeletion(_ table: String, _ key: String, _ kinds: [String]) -> String {
    let condition = "kind IN (\(kinds.map { "'\($0)'" }.joined(separator: ", "))) AND row = OLD.\(key)"
    return """
      CREATE TRIGGER sync_\(table)_deletion AFTER DELETE ON \(table) BEGIN
        INSERT OR IGNORE INTO sync_deletion (kind, id) SELECT kind, id FROM sync_record WHERE \(condition);
        DELETE FROM sync_record WHERE \(condition);
      END;
      """
  }

  /// Step 15: how much of each session was published to a stream (docs/fleet.md).
  static let publishing = """
    CREATE TABLE publish_position (
      target TEXT NOT NULL,
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      has_begun INTEGER NOT NULL,
      next_sequence INTEGER NOT NULL,
      is_complete INTEGER NOT NULL,
      PRIMARY KEY (target, session)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX publish_position_of_session ON publish_position (session);
    """
}
