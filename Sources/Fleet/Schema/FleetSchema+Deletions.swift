// Version 2. Released versions are never edited.
extension FleetSchema {
  /// - `deleted_range`: events that the receiver deleted before they were published, so that the engine continues after them.
  /// - `session.partition`: the partition of the stream that contains the messages of the session.
  /// - `partition_lease.replay_from`: the time from which the stream is read again; see ``ReplayStart``.
  /// - `partition_lease.deferred_format` and `deferred_since`: the lowest later format of messages, and the time of the first of them.
  static let deletions =
    """
    CREATE TABLE deleted_range (
      session bigint NOT NULL REFERENCES session ON DELETE CASCADE,
      first bigint NOT NULL,
      last bigint NOT NULL,
      PRIMARY KEY (session, last, first)
    );
    GRANT SELECT ON deleted_range TO \(reader);
    ALTER TABLE session ADD COLUMN partition smallint, DROP CONSTRAINT session_id_key, ADD UNIQUE (id, study);
    ALTER TABLE rejected DROP CONSTRAINT rejected_pkey;
    CREATE UNIQUE INDEX rejected_message ON rejected (study, stream_sequence, md5(payload));
    ALTER TABLE partition_lease ADD COLUMN replay_from timestamptz, ADD COLUMN deferred_format integer,
      ADD COLUMN deferred_since timestamptz;

    """ + policy("deleted_range", "session IN (SELECT number FROM session)")
}
