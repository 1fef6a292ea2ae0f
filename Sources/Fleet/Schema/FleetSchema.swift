/// The tables of the query store, as a sequence of migrations in the schema `stressmon` (docs/reference/fleet-schema.md).
///
/// A released migration is never edited; a change is a new migration. Migrations contain only SQL and no other types of the
/// program, which may have changed when they run.
enum FleetSchema {
  struct Migration {
    var version: Int64
    var title: String
    var sql: String
  }

  static let name = "stressmon"
  static let reader = "stressmon_reader"
  static let collector = "stressmon_collector"

  static let migrations = [
    Migration(
      version: 1, title: "sessions, events, results, views, roles",
      sql: identities + sessions + results + administration + views + security),
    Migration(
      version: 2, title: "deleted events, deferred messages, sessions of several studies", sql: deletions),
    Migration(version: 3, title: "limits of the days of sessions", sql: limits),
    Migration(version: 4, title: "ranges of stress values", sql: ranges),
    Migration(version: 5, title: "first messages of sessions", sql: firstMessages),
  ]

  /// The newest version that this program knows.
  static let version = migrations.last?.version ?? 0

  /// The key of the advisory lock of migrations: "STRMSCHM".
  private static let lockKey: Int64 = 0x5354_524D_5343_484D

  /// The session parameters of every connection that writes. A collector that was stopped in the middle of a transaction
  /// loses its locks after `idle_in_transaction_session_timeout`; another one can then take over its partitions.
  static let settings = [
    (name: "search_path", value: "\(name), pg_catalog"),
    (name: "idle_in_transaction_session_timeout", value: "4s"),
    (name: "lock_timeout", value: "30s"), (name: "TimeZone", value: "UTC"),
  ]

  /// Applies the migrations that are missing, each in its own transaction. Creates schema and roles first if they are missing.
  /// - Returns: The versions that were applied.
  @discardableResult
  static func migrate(
    _ connection: PostgreSQLConnection, _ migrations: [Migration] = migrations
  ) throws(FleetSchemaError) -> [Int64] {
    do throws(PostgreSQLError) {
      try connection.run("SELECT pg_advisory_lock($1)", [.integer(lockKey)])
      if try !isCreated(connection) { try create(connection) }
    } catch {
      throw FleetSchemaError(.creation, error)
    }
    defer { _ = try? connection.run("SELECT pg_advisory_unlock($1)", [.integer(lockKey)]) }
    do throws(PostgreSQLError) {
      try assumeRole(connection)
    } catch {
      throw FleetSchemaError(.role, error)
    }
    do throws(PostgreSQLError) {
      try connection.execute(versionTable)
      let current = try version(connection)
      let known = migrations.last?.version ?? 0
      guard current <= known else {
        throw PostgreSQLError(state: PostgreSQLError.PrivateState.newerSchema, "\(current)")
      }
      let missing = migrations.filter { $0.version > current }
      for migration in missing { try apply(migration, connection) }
      return missing.map(\.version)
    } catch {
      throw FleetSchemaError(
        error.state == PostgreSQLError.PrivateState.newerSchema ? .newer : .migration, error)
    }
  }

  /// The version of the schema; 0 without one.
  static func version(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int64 {
    try connection.run("SELECT coalesce(max(version), 0) FROM schema_version").integer(0, 0)
  }

  /// Continues as the owner of the tables, because every collector must be able to create partitions.
  static func assumeRole(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run("SELECT set_config('role', $1, false)", [.text(collector)])
  }

  private static func apply(_ migration: Migration, _ connection: PostgreSQLConnection)
    throws(PostgreSQLError)
  {
    try connection.transaction { () throws(PostgreSQLError) in
      try connection.execute(migration.sql)
      try connection.run(
        "INSERT INTO schema_version (version, title) VALUES ($1, $2)",
        [.integer(migration.version), .text(migration.title)])
    }
  }

  /// Creates roles and schema in one transaction. Advisory locks do not exclude the same program in another database of the
  /// server, so the transaction is repeated if that one creates the roles at the same time.
  private static func create(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    for _ in 0..<10 {
      do throws(PostgreSQLError) {
        return try connection.execute(creation)
      } catch {
        guard concurrentChanges.contains(error.state ?? "") else { throw error }
      }
    }
    try connection.execute(creation)
  }

  /// unique_violation, duplicate_object, and internal_error for a row of a system table that is changed concurrently.
  private static let concurrentChanges: Set<String> = ["23505", "42710", "XX000"]

  private static func isCreated(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    try connection.run(
      """
      SELECT to_regnamespace($1) IS NOT NULL AND to_regrole($2) IS NOT NULL AND to_regrole($3) IS NOT NULL
      """, [.text(name), .text(reader), .text(collector)]
    ).boolean(0, 0)
  }

  /// Roles belong to the cluster and may exist before the schema.
  private static let creation = """
    DO $$ BEGIN
      IF to_regrole('\(reader)') IS NULL THEN CREATE ROLE \(reader) NOLOGIN; END IF;
      IF to_regrole('\(collector)') IS NULL THEN CREATE ROLE \(collector) NOLOGIN; END IF;
      IF NOT pg_has_role(current_user, '\(collector)', 'member') THEN
        EXECUTE format('GRANT \(collector) TO %I', current_user);
      END IF;
    END $$;
    CREATE SCHEMA IF NOT EXISTS \(name) AUTHORIZATION \(collector);
    GRANT USAGE ON SCHEMA \(name) TO \(reader);
    """

  private static let versionTable = """
    CREATE TABLE IF NOT EXISTS schema_version (
      version bigint PRIMARY KEY,
      title text NOT NULL,
      applied timestamptz NOT NULL DEFAULT now()
    );
    """
}

extension FleetSchema {
  /// Version 2.
  /// - `deleted_range`: events that the receiver deleted before they were published. The engine continues after them.
  /// - `session.partition`: the partition of the stream that contains the messages of the session.
  /// - `partition_lease.replay_from`: the time from which the stream is read again; see ``ReplayStart``.
  /// - `partition_lease.deferred_format` and `deferred_since`: the lowest later format of messages, and the time of the first
  ///   of them.
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

  /// Version 3.
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

  /// Version 4.
  /// The ranges of the stress value and of the level; NULL in rows of earlier versions.
  static let ranges = """
    ALTER TABLE measurement ADD COLUMN stress_range_low double precision, ADD COLUMN stress_range_high double precision,
      ADD COLUMN level_low double precision, ADD COLUMN level_high double precision;

    """

  /// Version 5.
  /// - `session.first_stream_sequence` and `first_published`: see ``SessionOwner``; NULL in rows of earlier versions.
  /// - `rejected_message`: replicas of a stream can differ, so two forged messages with equal content can have equal numbers.
  static let firstMessages = """
    ALTER TABLE session ADD COLUMN first_stream_sequence bigint, ADD COLUMN first_published timestamptz;
    DROP INDEX rejected_message;
    CREATE UNIQUE INDEX rejected_message ON rejected (study, stream_sequence, md5(coalesce(message, '')), md5(payload));

    """
}

// Version 1. Released versions are never edited.
extension FleetSchema {
  static let administration = """
    CREATE TABLE rejected (
      study integer NOT NULL REFERENCES study ON DELETE CASCADE,
      stream_sequence bigint NOT NULL,
      subject text NOT NULL,
      message text,
      reason text NOT NULL,
      payload bytea NOT NULL,
      received timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (study, stream_sequence)
    );
    CREATE TABLE erasure (
      study integer NOT NULL REFERENCES study ON DELETE CASCADE,
      participant text NOT NULL,
      erased timestamptz NOT NULL DEFAULT now(),
      erased_by name NOT NULL DEFAULT session_user,
      sessions bigint NOT NULL,
      events bigint NOT NULL,
      stream_purged timestamptz,
      PRIMARY KEY (study, participant)
    );
    CREATE TABLE collector (
      study integer NOT NULL REFERENCES study ON DELETE CASCADE,
      id text NOT NULL,
      host text NOT NULL,
      process integer NOT NULL,
      started timestamptz NOT NULL DEFAULT now(),
      expires timestamptz NOT NULL,
      PRIMARY KEY (study, id)
    );
    CREATE TABLE partition_lease (
      study integer NOT NULL REFERENCES study ON DELETE CASCADE,
      partition smallint NOT NULL,
      owner text,
      epoch bigint NOT NULL DEFAULT 0,
      expires timestamptz NOT NULL DEFAULT '-infinity',
      stream_sequence bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (study, partition)
    );
    CREATE TABLE study_member (
      role name NOT NULL,
      study text NOT NULL,
      PRIMARY KEY (role, study)
    );
    COMMENT ON TABLE study_member IS 'the studies that a role with stressmon_reader may read';

    """
}
