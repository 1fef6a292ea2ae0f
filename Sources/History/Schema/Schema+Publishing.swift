// Step 15. Released steps are never edited.
extension Schema {
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
