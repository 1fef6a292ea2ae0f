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

// Version 3. Released versions are never edited.
extension FleetSchema {
  /// - `study.created`; that of existing studies is the time of their first message.
  /// - `study.accepts_since` and `new_days_per_hour`: see ``SessionLimits``. Existing studies accept the days that they contain.
  /// - `new_day`: the days whose partitions a receiver has caused, for the last hour.
  static let limits = """
    ALTER TABLE study ADD COLUMN created timestamptz NOT NULL DEFAULT now(),
      ADD COLUMN accepts_since date NOT NULL DEFAULT current_date - 30,
      ADD COLUMN new_days_per_hour integer NOT NULL DEFAULT 100;
    UPDATE study SET created = s.received, accepts_since = least(s.day, s.received::date - 30)
      FROM (SELECT study, min(received) AS received, min(day) AS day FROM session GROUP BY study) s WHERE s.study = number;
    CREATE TABLE new_day (
      study integer NOT NULL REFERENCES study ON DELETE CASCADE,
      receiver text NOT NULL,
      day date NOT NULL,
      created timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX new_day_of_receiver ON new_day (study, receiver, created);

    """
}

// Version 4. Released versions are never edited.
extension FleetSchema {
  /// The ranges of the stress value and of the level; NULL in rows of earlier versions.
  static let ranges = """
    ALTER TABLE measurement ADD COLUMN stress_range_low double precision, ADD COLUMN stress_range_high double precision,
      ADD COLUMN level_low double precision, ADD COLUMN level_high double precision;

    """
}

// Version 5. Released versions are never edited.
extension FleetSchema {
  /// - `session.first_stream_sequence` and `first_published`: see ``SessionOwner``; NULL in rows of earlier versions.
  /// - `rejected_message`: replicas of a stream can differ, so two forged messages with equal content can have equal numbers.
  static let firstMessages = """
    ALTER TABLE session ADD COLUMN first_stream_sequence bigint, ADD COLUMN first_published timestamptz;
    DROP INDEX rejected_message;
    CREATE UNIQUE INDEX rejected_message ON rejected (study, stream_sequence, md5(coalesce(message, '')), md5(payload));

    """
}
