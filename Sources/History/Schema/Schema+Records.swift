// Steps 3, 4, 6, 7, 10, 11 and 19. Released steps are never edited.
extension Schema {
  /// Step 3: the journal, and an index of sessions by time.
  static let journal = """
    CREATE TABLE journal_entry (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
      session INTEGER REFERENCES session ON DELETE CASCADE,
      time_us INTEGER NOT NULL,
      utc_offset_s INTEGER NOT NULL,
      mood INTEGER CHECK (mood BETWEEN 1 AND 10),
      note TEXT
    ) STRICT;
    CREATE INDEX journal_entry_of_profile ON journal_entry (profile, time_us);
    CREATE INDEX journal_entry_of_session ON journal_entry (session) WHERE session IS NOT NULL;
    CREATE TABLE journal_trigger (
      entry INTEGER NOT NULL REFERENCES journal_entry ON DELETE CASCADE,
      name TEXT NOT NULL,
      PRIMARY KEY (entry, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_by_time ON session (profile, started_us);
    """

  /// Step 4: the fingerprint and the format of imported sessions.
  static let imports = """
    CREATE TABLE import (
      session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE,
      fingerprint BLOB NOT NULL,
      format TEXT NOT NULL,
      imported_us INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX import_of_fingerprint ON import (fingerprint);
    """

  /// Step 6: the results of breathing exercises.
  static let breathing = """
    CREATE TABLE breathing (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL UNIQUE REFERENCES session ON DELETE CASCADE,
      time_us INTEGER NOT NULL,
      pattern TEXT NOT NULL,
      cycles INTEGER NOT NULL,
      planned_cycles INTEGER NOT NULL,
      during_s REAL NOT NULL,
      before_rmssd_ms REAL,
      before_sdnn_ms REAL,
      before_hr_bpm REAL,
      before_stress REAL,
      before_confidence REAL,
      during_rmssd_ms REAL,
      during_sdnn_ms REAL,
      during_hr_bpm REAL,
      during_stress REAL,
      during_confidence REAL,
      after_rmssd_ms REAL,
      after_sdnn_ms REAL,
      after_hr_bpm REAL,
      after_stress REAL,
      after_confidence REAL,
      coherence REAL,
      rsa_ms REAL,
      changed TEXT NOT NULL CHECK (changed IN ('yes', 'no', 'cannot tell')),
      rmssd_ratio REAL,
      rmssd_ratio_low REAL,
      rmssd_ratio_high REAL,
      smallest_detectable_ratio REAL,
      resonance_brpm REAL,
      resonance_low_brpm REAL,
      resonance_high_brpm REAL
    ) STRICT;
    """

  /// Step 7: several exercises per session. SQLite cannot drop a constraint, so the table is created again.
  static let severalExercises =
    breathing.replacing("CREATE TABLE breathing (", with: "CREATE TABLE breathing_anew (")
    .replacing("session INTEGER NOT NULL UNIQUE", with: "session INTEGER NOT NULL")
    .replacing("resonance_high_brpm REAL\n", with: "resonance_high_brpm REAL,\n  UNIQUE (session, time_us)\n")
      + """

      INSERT INTO breathing_anew SELECT * FROM breathing;
      DROP TABLE breathing;
      ALTER TABLE breathing_anew RENAME TO breathing;
      """

  /// Step 11: the results of morning readings. `part` is 1 for the standing part of an orthostatic reading.
  static let mornings = """
    CREATE TABLE morning_reading (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      part INTEGER NOT NULL CHECK (part IN (0, 1)),
      time_us INTEGER NOT NULL,
      day INTEGER NOT NULL,
      posture TEXT NOT NULL CHECK (posture IN ('lying', 'sitting', 'standing')),
      duration_s REAL NOT NULL,
      beats INTEGER NOT NULL,
      normal_beats INTEGER NOT NULL,
      rmssd_ms REAL,
      sdnn_ms REAL,
      hr_bpm REAL,
      confidence REAL,
      refusal TEXT,
      UNIQUE (session, part)
    ) STRICT;
    CREATE INDEX morning_reading_of_day ON morning_reading (day);
    """

  /// Step 19: the nights in sessions. `nights_found` of a session that was not searched is NULL.
  static let nights = """
    CREATE TABLE night (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      part INTEGER NOT NULL,
      time_us INTEGER NOT NULL,
      day INTEGER NOT NULL,
      duration_s REAL NOT NULL,
      start_low_us INTEGER NOT NULL,
      start_high_us INTEGER NOT NULL,
      end_low_us INTEGER NOT NULL,
      end_high_us INTEGER NOT NULL,
      begins_with_data INTEGER NOT NULL,
      ends_with_data INTEGER NOT NULL,
      beats INTEGER NOT NULL,
      normal_beats INTEGER NOT NULL,
      rmssd_ms REAL,
      hr_bpm REAL,
      lowest_hr_bpm REAL,
      lowest_us INTEGER,
      respiration_brpm REAL,
      coverage REAL NOT NULL,
      wake_min INTEGER,
      confidence REAL NOT NULL,
      refusal TEXT,
      UNIQUE (session, part)
    ) STRICT;
    CREATE INDEX night_of_day ON night (day);
    ALTER TABLE session ADD COLUMN nights_found INTEGER;
    \(syncDeletion("night", "id", ["night"]))
    """

  /// Step 20: the questions that a person was asked, and the answers. They are not shared by the sync.
  static let prompts = """
    CREATE TABLE prompt (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      time_us INTEGER NOT NULL,
      stress REAL NOT NULL,
      confidence REAL NOT NULL,
      rmssd_ms REAL NOT NULL,
      normal_low_ms REAL NOT NULL,
      normal_high_ms REAL NOT NULL,
      answer TEXT,
      answered_us INTEGER,
      entry INTEGER REFERENCES journal_entry ON DELETE SET NULL
    ) STRICT;
    CREATE INDEX prompt_of_profile ON prompt (profile, time_us);
    CREATE INDEX prompt_of_session ON prompt (session);
    CREATE INDEX prompt_of_entry ON prompt (entry);
    """

  /// Step 10: sensor streams, and the seconds of each class of movement per minute of a session.
  static let motion = """
    CREATE TABLE stream_change (
      session INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      stream TEXT NOT NULL,
      state TEXT NOT NULL,
      rate_hz INTEGER,
      resolution_bits INTEGER,
      range_g INTEGER,
      factor REAL NOT NULL,
      reason TEXT,
      PRIMARY KEY (session, sequence),
      FOREIGN KEY (session, sequence) REFERENCES session_event ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE motion_minute (
      session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
      minute INTEGER NOT NULL,
      still_s INTEGER NOT NULL,
      fidget_s INTEGER NOT NULL,
      walk_s INTEGER NOT NULL,
      run_s INTEGER NOT NULL,
      PRIMARY KEY (session, minute)
    ) STRICT, WITHOUT ROWID;
    """
}

// Step 9. Released steps are never edited.
extension Schema {
  /// Step 9: the interval of the stress value, the quality of the window, the factors of confidence since engine version 3,
  /// and the sums of the bounds of the interval.
  static let intervals =
    newColumns.map { "ALTER TABLE measurement ADD COLUMN \($0) REAL;" }.joined(separator: "\n")
      + """

      ALTER TABLE quarter_hour ADD COLUMN intervals INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE quarter_hour ADD COLUMN interval_low_sum REAL NOT NULL DEFAULT 0;
      ALTER TABLE quarter_hour ADD COLUMN interval_high_sum REAL NOT NULL DEFAULT 0;
      DROP TRIGGER measurement_leaves_quarter;
      DROP TRIGGER measurement_changes_in_quarter;
      DROP VIEW measurement_in_quarter;
      CREATE VIEW measurement_in_quarter AS
        SELECT m.id, m.profile, m.time_us, \(quarter(of: "m.time_us")) AS quarter,
          s.source = 'simulated' AS simulated, m.beats, m.normal_beats, m.confidence, m.category,
          m.stress, m.rmssd_ms, m.sdnn_ms, m.mean_hr_bpm, m.stress_low, m.stress_high,
          m.stress IS NOT NULL AS is_scored, m.is_usable, m.is_usable AND NOT m.is_paced AS is_unpaced,
          m.is_usable AND m.stress_low IS NOT NULL AND m.stress_high IS NOT NULL AS has_interval
        FROM measurement m JOIN session s ON s.number = m.session;
      CREATE TRIGGER measurement_leaves_quarter AFTER DELETE ON measurement BEGIN \(emptying); END;
      CREATE TRIGGER measurement_changes_in_quarter AFTER UPDATE ON measurement BEGIN \(emptying); \(marking); END;
      """

  private static let newColumns =
    ["stress_low", "stress_high"]
    + ["abnormal_beats", "lost_data", "contact_lost", "duplicates", "tail", "noise"].map { "quality_\($0)" }
    + ["abnormal_beats", "lost_data", "tail", "noise", "exertion", "motion"].map { "confidence_\($0)" }

  private static let added = ["intervals", "interval_low_sum", "interval_high_sum"]

  /// The columns of ``summedMeasurements``, in its order.
  static let summed = readingColumns + added

  /// A SELECT of rows of `quarter_hour`. Append a WHERE clause and `GROUP BY profile, quarter, simulated`.
  static let summedMeasurements = """
    SELECT profile, quarter, simulated, \(readingValues),
      sum(has_interval), total(iif(has_interval, stress_low, 0)), total(iif(has_interval, stress_high, 0))
    FROM measurement_in_quarter
    """

  private static let emptying = emptying(readingZeros + added.map { "\($0) = 0" })
}
