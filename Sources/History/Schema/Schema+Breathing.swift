extension Schema {
  /// Step 6: what breathing exercises came to.
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

  /// Step 7: a session may hold several exercises. SQLite takes no constraint off a table, which is made anew.
  static let severalExercises =
    breathing.replacing("CREATE TABLE breathing (", with: "CREATE TABLE breathing_anew (")
    .replacing("session INTEGER NOT NULL UNIQUE", with: "session INTEGER NOT NULL")
    .replacing("resonance_high_brpm REAL\n", with: "resonance_high_brpm REAL,\n  UNIQUE (session, time_us)\n")
      + """

      INSERT INTO breathing_anew SELECT * FROM breathing;
      DROP TABLE breathing;
      ALTER TABLE breathing_anew RENAME TO breathing;
      """
}
