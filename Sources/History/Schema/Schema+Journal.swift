extension Schema {
  /// Step 3: what a person writes about a time, and sessions by their times.
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
}
