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
