internal import GRDB

extension Schema {
  /// What tells that a file was imported before, and the format that it had.
  static func registerImports(_ migrator: inout DatabaseMigrator) {
    migrator.registerMigration("4 imports") { db in
      try db.execute(
        sql: """
          CREATE TABLE import (
            session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE,
            fingerprint BLOB NOT NULL,
            format TEXT NOT NULL,
            imported_us INTEGER NOT NULL
          ) STRICT;
          CREATE INDEX import_of_fingerprint ON import (fingerprint);
          """)
    }
  }
}
