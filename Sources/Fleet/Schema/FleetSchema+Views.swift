// Version 1. Released versions are never edited.
extension FleetSchema {
  static let views =
    view(
      "rmssd_per_minute",
      """
      SELECT st.code AS study, p.code AS participant, m.minute, sum(m.beats) AS beats, sum(m.normal_beats) AS normal_beats,
        sqrt(sum(m.squared_differences)::double precision / nullif(sum(m.differences), 0)) / 640 AS rmssd_ms,
        60000 * 80000.0::double precision * sum(m.normal_beats) / nullif(sum(m.normal_ticks), 0) AS mean_hr_bpm
      FROM minute m JOIN session s ON s.number = m.session JOIN participant p ON p.number = s.participant
        JOIN study st ON st.number = s.study
      GROUP BY st.code, p.code, m.minute
      """)
    + view(
      "coverage_per_receiver",
      """
      SELECT st.code AS study, r.code AS receiver, s.day, count(*) AS sessions, sum(s.beats) AS beats,
        sum(s.normal_beats) AS normal_beats, sum(s.last_ticks) / 8e7::double precision AS recorded_s,
        sum(s.rr_ticks) / 8e7::double precision AS covered_s,
        sum(s.rr_ticks)::double precision / nullif(sum(s.last_ticks), 0) AS coverage,
        sum(s.highest - s.next) AS waiting_events
      FROM session s JOIN receiver r ON r.number = s.receiver JOIN study st ON st.number = s.study
      GROUP BY st.code, r.code, s.day
      """)
    + view(
      "gaps_per_receiver",
      """
      SELECT st.code AS study, r.code AS receiver, s.day, g.cause, count(*) AS gaps,
        sum(g.end_ticks - g.start_ticks) / 8e7::double precision AS seconds,
        max(g.end_ticks - g.start_ticks) / 8e7::double precision AS longest_s
      FROM gap g JOIN session s ON s.number = g.session JOIN receiver r ON r.number = s.receiver
        JOIN study st ON st.number = s.study
      GROUP BY st.code, r.code, s.day, g.cause
      """)
    + view(
      "live_now",
      """
      SELECT st.code AS study, p.code AS participant, r.code AS receiver, s.id AS session, s.strap, s.started,
        b.time AS last_beat, 4800000000.0::double precision / nullif(b.rr_ticks, 0) AS hr_bpm, m.time AS measured, m.rmssd_ms,
        m.stress, m.category, m.confidence
      FROM session s JOIN participant p ON p.number = s.participant JOIN receiver r ON r.number = s.receiver
        JOIN study st ON st.number = s.study
        LEFT JOIN LATERAL (SELECT time, rr_ticks FROM beat WHERE beat.day = s.day AND beat.session = s.number
          ORDER BY ordinal DESC LIMIT 1) b ON true
        LEFT JOIN LATERAL (SELECT time, rmssd_ms, stress, category, confidence FROM measurement x
          WHERE x.day = s.day AND x.session = s.number ORDER BY ticks DESC LIMIT 1) m ON true
      WHERE s.outcome IS NULL AND s.updated > now() - interval '15 s'
      """)
    + view(
      "beats",
      """
      SELECT st.code AS study, p.code AS participant, s.id AS session, b.ordinal, b.time, b.ticks / 8e7::double precision AS end_s,
        b.rr_ticks / 80000.0::double precision AS rr_ms, b.verdict, b.follows_break
      FROM beat b JOIN session s ON s.number = b.session AND s.day = b.day
        JOIN participant p ON p.number = s.participant JOIN study st ON st.number = s.study
      """)

  /// Views apply the row-level security of the user who queries them.
  private static func view(_ name: String, _ select: String) -> String {
    "CREATE VIEW \(name) WITH (security_invoker = true) AS \(select);\n"
  }

  /// Readers see the studies of `study_member`. The owner of the tables, `stressmon_collector`, sees everything.
  static let security =
    """
    GRANT SELECT ON study, participant, receiver, session, event, beat, measurement, gap, mark, link_change, minute, erasure,
      study_member, schema_version, rmssd_per_minute, coverage_per_receiver, gaps_per_receiver, live_now, beats TO \(reader);
    ALTER TABLE study_member ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON study_member FOR SELECT TO \(reader)
      USING (CASE WHEN to_regrole(quote_ident(role)) IS NULL THEN false ELSE pg_has_role(current_user, role, 'member') END);

    """ + policy("study", "code IN (SELECT study FROM study_member)")
    + ["participant", "receiver", "session", "erasure"].map {
      policy($0, "study IN (SELECT number FROM study)")
    }.joined()
    + ["event", "beat", "measurement", "gap", "mark", "link_change", "minute"].map {
      policy($0, "session IN (SELECT number FROM session)")
    }.joined()

  static func policy(_ table: String, _ condition: String) -> String {
    """
    ALTER TABLE \(table) ENABLE ROW LEVEL SECURITY;
    CREATE POLICY by_study ON \(table) FOR SELECT TO \(reader) USING (\(condition));

    """
  }
}
