// Step 10. Released steps are never edited.
extension Schema {
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
