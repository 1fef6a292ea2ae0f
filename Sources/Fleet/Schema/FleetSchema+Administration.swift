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
