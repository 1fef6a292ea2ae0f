extension Schema {
  /// Step 8: the engine version, readings, paced breathing, and which measurements count.
  ///
  /// `is_usable` is the only definition of a measurement that counts in trends, reports, status and insights. Windows with
  /// paced breathing are found from the marks of their sessions.
  static let readings =
    """
    ALTER TABLE session ADD COLUMN engine INTEGER;
    ALTER TABLE measurement ADD COLUMN engine INTEGER;
    ALTER TABLE measurement ADD COLUMN is_reading INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE measurement ADD COLUMN is_paced INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE measurement ADD COLUMN is_usable INTEGER AS (stress IS NOT NULL AND rmssd_ms IS NOT NULL
      AND sdnn_ms IS NOT NULL AND mean_hr_bpm IS NOT NULL AND normal_beats >= 20 AND confidence >= 0.3) VIRTUAL;
    DROP TRIGGER measurement_changes_in_quarter;
    WITH mark AS MATERIALIZED (
      SELECT session, sequence, ticks, payload = 'breathing exercise begins' AS begins FROM session_event
      WHERE kind = 5 AND payload IN ('breathing exercise begins', 'breathing exercise ends')),
    span AS MATERIALIZED (
      SELECT session, ticks AS first, (SELECT min(ticks) FROM mark e
        WHERE e.session = b.session AND e.sequence > b.sequence AND NOT e.begins) AS last FROM mark b WHERE begins)
    UPDATE measurement SET is_paced = 1 FROM span
      WHERE measurement.session = span.session AND measurement.ticks >= span.first
        AND (span.last IS NULL OR span.last > measurement.ticks - measurement.window_s * 80000000);
    """ + usableSums
}
