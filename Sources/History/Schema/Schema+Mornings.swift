// Step 11. Released steps are never edited.
extension Schema {
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
}
