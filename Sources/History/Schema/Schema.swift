internal import GRDB

/// The tables, as a sequence of migrations. docs/reference/store.md describes them.
///
/// A released migration is never edited; a change is a new migration. Migrations contain only SQL and strings and no other
/// types of the program, which may have changed when they run.
enum Schema {
  /// Distinguishes a history from databases of other programs: "STRM" in the header of the file.
  static let applicationID: Int64 = 0x5354_524D

  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 profiles, straps, baselines, sessions, events, measurements") { db in
      try db.execute(sql: profiles + sessions + events + measurements)
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
    migrator.registerMigration("2 rhythm and sensor of measurements, resting windows") { db in
      try db.execute(sql: rest)
    }
    migrator.registerMigration("3 journal, sessions by time") { db in
      try db.execute(sql: journal)
    }
    migrator.registerMigration("4 imports") { db in
      try db.execute(sql: imports)
    }
    migrator.registerMigration("5 sums of measurements by quarters of hours") { db in
      try db.execute(sql: rollup)
    }
    migrator.registerMigration("6 breathing exercises") { db in
      try db.execute(sql: breathing)
    }
    migrator.registerMigration("7 several breathing exercises in a session") { db in
      try db.execute(sql: severalExercises)
    }
    migrator.registerMigration("8 engine version, readings, usable measurements") { db in
      try db.execute(sql: readings)
    }
    migrator.registerMigration("9 intervals of stress values, quality of windows") { db in
      try db.execute(sql: intervals)
    }
    migrator.registerMigration("10 sensor streams, motion") { db in
      try db.execute(sql: motion)
    }
    migrator.registerMigration("11 morning readings") { db in
      try db.execute(sql: mornings)
    }
    migrator.registerMigration("13 names of imported files") { db in
      try db.execute(sql: "ALTER TABLE import ADD COLUMN file TEXT")
    }
    migrator.registerMigration("14 sync") { db in
      try db.execute(sql: sync)
    }
    migrator.registerMigration("15 publishing") { db in
      try db.execute(sql: publishing)
    }
    migrator.registerMigration("16 receipts of sync") { db in
      try db.execute(sql: syncReceipts)
    }
    migrator.registerMigration("17 weights of baselines") { db in
      try db.execute(sql: "ALTER TABLE baseline ADD COLUMN weight REAL")
      try db.execute(sql: "ALTER TABLE session ADD COLUMN baseline_weight REAL")
    }
    migrator.registerMigration("18 ranges of stress values") { db in
      for column in ["stress_range_low", "stress_range_high", "level_low", "level_high"] {
        try db.execute(sql: "ALTER TABLE measurement ADD COLUMN \(column) REAL")
      }
    }
    migrator.registerMigration("19 nights") { db in
      try db.execute(sql: nights)
    }
    migrator.registerMigration("20 prompts") { db in
      try db.execute(sql: prompts)
    }
    return migrator
  }()

  /// Whether the database contains at most the table of migrations, without any applied migration.
  static func hasOnlyMigrationTable(_ db: Database) throws -> Bool {
    let others = try db.statement("SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'")
    return try Int.fetchOne(others) == 0
  }

  private static let rest = """
    ALTER TABLE measurement ADD COLUMN confidence_rhythm REAL;
    ALTER TABLE measurement ADD COLUMN sensor_class TEXT;
    ALTER TABLE session ADD COLUMN rest_found INTEGER;
    ALTER TABLE profile ADD COLUMN learns_since_us INTEGER;
    CREATE TABLE resting_window (
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      ticks INTEGER NOT NULL,
      day INTEGER NOT NULL,
      hr_bpm REAL NOT NULL,
      rmssd_ms REAL NOT NULL,
      sdnn_ms REAL NOT NULL,
      PRIMARY KEY (session, ticks)
    ) STRICT, WITHOUT ROWID;
    """

  private static let profiles = """
    CREATE TABLE profile (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE
    ) STRICT;
    INSERT INTO profile (name) VALUES ('me');
    CREATE TABLE strap (
      profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
      address TEXT NOT NULL,
      name TEXT,
      body_location INTEGER,
      last_used_us INTEGER NOT NULL,
      PRIMARY KEY (profile, address)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE baseline (
      profile INTEGER PRIMARY KEY REFERENCES profile ON DELETE CASCADE,
      rmssd_ms REAL NOT NULL,
      sdnn_ms REAL NOT NULL,
      resting_hr_bpm REAL NOT NULL,
      days REAL NOT NULL,
      origin TEXT NOT NULL,
      updated_us INTEGER NOT NULL
    ) STRICT;
    """

  private static let sessions = """
    CREATE TABLE session (
      number INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
      source TEXT NOT NULL,
      strap_address TEXT,
      strap_name TEXT,
      started_us INTEGER NOT NULL,
      zone TEXT NOT NULL,
      utc_offset_s INTEGER NOT NULL,
      monotonic_ns INTEGER NOT NULL,
      window_ticks INTEGER NOT NULL,
      metric TEXT NOT NULL,
      judging TEXT NOT NULL,
      baseline_rmssd_ms REAL,
      baseline_sdnn_ms REAL,
      baseline_resting_hr_bpm REAL,
      baseline_days REAL,
      baseline_origin TEXT NOT NULL,
      program_version TEXT NOT NULL,
      ended_us INTEGER,
      ended_ticks INTEGER,
      outcome TEXT CHECK (outcome IN ('finished', 'interrupted'))
    ) STRICT;
    CREATE INDEX session_of_profile ON session (profile, id);
    """

  private static let events = """
    CREATE TABLE session_event (
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      sequence INTEGER NOT NULL,
      ticks INTEGER NOT NULL,
      wall_us INTEGER,
      kind INTEGER NOT NULL,
      payload ANY,
      PRIMARY KEY (session, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE link_change (
      session INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      state TEXT NOT NULL,
      strap_address TEXT,
      strap_name TEXT,
      reason TEXT,
      PRIMARY KEY (session, sequence),
      FOREIGN KEY (session, sequence) REFERENCES session_event ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    """

  private static let measurements = """
    CREATE TABLE measurement (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
      time_us INTEGER NOT NULL,
      ticks INTEGER NOT NULL,
      window_s REAL NOT NULL,
      stress REAL,
      category TEXT AS (CASE WHEN stress < 25 THEN 'relaxed' WHEN stress < 50 THEN 'mild'
        WHEN stress < 75 THEN 'moderate' WHEN stress IS NOT NULL THEN 'high' END) VIRTUAL,
      rmssd_ms REAL,
      sdnn_ms REAL,
      mean_nn_ms REAL,
      mean_hr_bpm REAL,
      pnn50_percent REAL,
      beats INTEGER NOT NULL,
      normal_beats INTEGER NOT NULL,
      artefact_share REAL AS ((beats - normal_beats) / CAST(beats AS REAL)) VIRTUAL,
      coverage REAL,
      confidence REAL NOT NULL,
      confidence_low_hrv REAL,
      confidence_heart_rate_range REAL,
      confidence_sample_count REAL,
      confidence_artefacts REAL,
      confidence_coverage REAL,
      confidence_window_fill REAL,
      confidence_contact REAL,
      confidence_sensor REAL,
      confidence_baseline REAL
    ) STRICT;
    CREATE INDEX measurement_of_profile ON measurement (profile, time_us);
    CREATE INDEX measurement_of_session ON measurement (session, ticks);
    """
}
