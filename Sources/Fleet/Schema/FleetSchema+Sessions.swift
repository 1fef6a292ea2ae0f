// Version 1. Released versions are never edited.
extension FleetSchema {
  static let identities = """
    CREATE TABLE study (
      number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      code text NOT NULL UNIQUE
    );
    CREATE TABLE participant (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      study integer NOT NULL REFERENCES study ON DELETE CASCADE,
      code text NOT NULL,
      UNIQUE (study, code)
    );
    CREATE TABLE receiver (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      study integer NOT NULL REFERENCES study ON DELETE CASCADE,
      code text NOT NULL,
      UNIQUE (study, code)
    );

    """

  /// `next` is the number of events that the engine processed, `highest` that of the events up to the last stored one. They
  /// differ while events are missing. `day` is the UTC day of the ID.
  static let sessions = """
    CREATE TABLE session (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      study integer NOT NULL REFERENCES study ON DELETE CASCADE,
      participant bigint NOT NULL REFERENCES participant ON DELETE CASCADE,
      receiver bigint NOT NULL REFERENCES receiver ON DELETE CASCADE,
      day date NOT NULL,
      strap text,
      header bytea,
      started timestamptz,
      zone text,
      source text,
      window_s double precision,
      metric text,
      classification text,
      baseline_rmssd_ms double precision,
      baseline_sdnn_ms double precision,
      baseline_resting_hr_bpm double precision,
      baseline_days double precision,
      baseline_origin text,
      program_version text,
      engine integer,
      ended timestamptz,
      outcome text CHECK (outcome IN ('finished', 'interrupted')),
      total bigint,
      next bigint NOT NULL DEFAULT 0,
      highest bigint NOT NULL DEFAULT 0,
      beats bigint NOT NULL DEFAULT 0,
      normal_beats bigint NOT NULL DEFAULT 0,
      gaps bigint NOT NULL DEFAULT 0,
      rr_ticks bigint NOT NULL DEFAULT 0,
      last_ticks bigint NOT NULL DEFAULT 0,
      received timestamptz NOT NULL DEFAULT now(),
      updated timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX session_of_participant ON session (participant, started);
    CREATE INDEX session_of_day ON session (day);
    CREATE INDEX session_open ON session (updated) WHERE outcome IS NULL;
    CREATE INDEX session_incomplete ON session (updated) WHERE outcome IS NULL OR next < highest OR next < total;
    CREATE TABLE event (
      day date NOT NULL,
      session bigint NOT NULL,
      sequence bigint NOT NULL,
      ticks bigint NOT NULL,
      wall_us bigint,
      kind smallint NOT NULL,
      payload bytea NOT NULL,
      PRIMARY KEY (day, session, sequence)
    ) PARTITION BY RANGE (day);

    """

  static let results = """
    CREATE TYPE verdict AS ENUM ('normal', 'ectopic', 'missed', 'extra', 'long', 'short', 'gap');
    CREATE TABLE beat (
      day date NOT NULL,
      session bigint NOT NULL,
      ordinal bigint NOT NULL,
      time timestamptz NOT NULL,
      ticks bigint NOT NULL,
      rr_ticks bigint NOT NULL,
      follows_break boolean NOT NULL,
      verdict verdict NOT NULL,
      PRIMARY KEY (day, session, ordinal)
    ) PARTITION BY RANGE (day);
    CREATE TABLE measurement (
      day date NOT NULL,
      session bigint NOT NULL,
      ticks bigint NOT NULL,
      time timestamptz NOT NULL,
      window_s double precision NOT NULL,
      stress double precision,
      category text GENERATED ALWAYS AS (CASE WHEN stress < 25 THEN 'relaxed' WHEN stress < 50 THEN 'mild'
        WHEN stress < 75 THEN 'moderate' WHEN stress IS NOT NULL THEN 'high' END) STORED,
      \(["rmssd_ms", "sdnn_ms", "mean_nn_ms", "mean_hr_bpm", "pnn50_percent"].map { "\($0) double precision," }.joined(separator: " "))
      beats bigint NOT NULL,
      normal_beats bigint NOT NULL,
      coverage double precision,
      sensor_class text,
      engine bigint NOT NULL,
      is_reading bigint NOT NULL,
      is_paced bigint NOT NULL,
      confidence double precision NOT NULL,
      is_usable boolean GENERATED ALWAYS AS (stress IS NOT NULL AND rmssd_ms IS NOT NULL AND sdnn_ms IS NOT NULL
        AND mean_hr_bpm IS NOT NULL AND normal_beats >= 20 AND confidence >= 0.3) STORED,
      stress_low double precision,
      stress_high double precision,
      \((factors.map { "confidence_" + $0 } + qualities.map { "quality_" + $0 })
        .map { "\($0) double precision," }.joined(separator: " "))
      PRIMARY KEY (day, session, ticks)
    ) PARTITION BY RANGE (day);
    CREATE TABLE gap (
      session bigint NOT NULL REFERENCES session ON DELETE CASCADE,
      ordinal bigint NOT NULL,
      time timestamptz NOT NULL,
      start_ticks bigint NOT NULL,
      end_ticks bigint NOT NULL,
      cause text NOT NULL,
      PRIMARY KEY (session, ordinal)
    );
    CREATE TABLE mark (
      session bigint NOT NULL REFERENCES session ON DELETE CASCADE,
      sequence bigint NOT NULL,
      time timestamptz NOT NULL,
      ticks bigint NOT NULL,
      text text NOT NULL,
      PRIMARY KEY (session, sequence)
    );
    CREATE TABLE link_change (
      session bigint NOT NULL REFERENCES session ON DELETE CASCADE,
      sequence bigint NOT NULL,
      time timestamptz NOT NULL,
      ticks bigint NOT NULL,
      state text NOT NULL,
      strap text,
      PRIMARY KEY (session, sequence)
    );
    CREATE TABLE minute (
      session bigint NOT NULL REFERENCES session ON DELETE CASCADE,
      minute timestamptz NOT NULL,
      beats bigint NOT NULL,
      normal_beats bigint NOT NULL,
      normal_ticks bigint NOT NULL,
      differences bigint NOT NULL,
      squared_differences bigint NOT NULL,
      PRIMARY KEY (session, minute)
    );
    COMMENT ON COLUMN minute.squared_differences IS 'sum over successive normal beats, in (1/640 ms)^2';

    """

  private static let factors = [
    "low_hrv", "heart_rate_range", "sample_count", "artefacts", "rhythm", "coverage", "window_fill",
    "contact", "sensor",
    "baseline", "abnormal_beats", "lost_data", "tail", "noise", "motion", "exertion",
  ]

  private static let qualities = [
    "abnormal_beats", "lost_data", "contact_lost", "duplicates", "tail", "noise",
  ]
}
