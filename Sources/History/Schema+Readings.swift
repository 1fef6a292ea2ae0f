extension Schema {
  /// Step 8: the engine version, readings, paced breathing, and which measurements count.
  ///
  /// `is_usable` is the only definition of a measurement that counts in trends, reports, status and insights.
  static let readings = """
    ALTER TABLE session ADD COLUMN engine INTEGER;
    ALTER TABLE measurement ADD COLUMN engine INTEGER;
    ALTER TABLE measurement ADD COLUMN is_reading INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE measurement ADD COLUMN is_paced INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE measurement ADD COLUMN is_usable INTEGER AS (stress IS NOT NULL AND rmssd_ms IS NOT NULL
      AND sdnn_ms IS NOT NULL AND mean_hr_bpm IS NOT NULL AND normal_beats >= 20 AND confidence >= 0.3) VIRTUAL;
    """
}
