// Step 9. Released steps are never edited.
extension Schema {
  /// Step 9: the interval of the stress value, the quality of the window, the factors of confidence since engine version 3,
  /// and the sums of the bounds of the interval.
  static let intervals =
    newColumns.map { "ALTER TABLE measurement ADD COLUMN \($0) REAL;" }.joined(separator: "\n")
      + """

      ALTER TABLE quarter_hour ADD COLUMN intervals INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE quarter_hour ADD COLUMN interval_low_sum REAL NOT NULL DEFAULT 0;
      ALTER TABLE quarter_hour ADD COLUMN interval_high_sum REAL NOT NULL DEFAULT 0;
      DROP TRIGGER measurement_leaves_quarter;
      DROP TRIGGER measurement_changes_in_quarter;
      DROP VIEW measurement_in_quarter;
      CREATE VIEW measurement_in_quarter AS
        SELECT m.id, m.profile, m.time_us, \(quarter(of: "m.time_us")) AS quarter,
          s.source = 'simulated' AS simulated, m.beats, m.normal_beats, m.confidence, m.category,
          m.stress, m.rmssd_ms, m.sdnn_ms, m.mean_hr_bpm, m.stress_low, m.stress_high,
          m.stress IS NOT NULL AS is_scored, m.is_usable, m.is_usable AND NOT m.is_paced AS is_unpaced,
          m.is_usable AND m.stress_low IS NOT NULL AND m.stress_high IS NOT NULL AS has_interval
        FROM measurement m JOIN session s ON s.number = m.session;
      CREATE TRIGGER measurement_leaves_quarter AFTER DELETE ON measurement BEGIN \(emptying); END;
      CREATE TRIGGER measurement_changes_in_quarter AFTER UPDATE ON measurement BEGIN \(emptying); \(marking); END;
      """

  private static let newColumns =
    ["stress_low", "stress_high"]
    + ["abnormal_beats", "lost_data", "contact_lost", "duplicates", "tail", "noise"].map { "quality_\($0)" }
    + ["abnormal_beats", "lost_data", "tail", "noise", "exertion", "motion"].map { "confidence_\($0)" }

  private static let added = ["intervals", "interval_low_sum", "interval_high_sum"]

  /// The columns of ``summedMeasurements``, in its order.
  static let summed = readingColumns + added

  /// A SELECT of rows of `quarter_hour`. Append a WHERE clause and `GROUP BY profile, quarter, simulated`.
  static let summedMeasurements = """
    SELECT profile, quarter, simulated, \(readingValues),
      sum(has_interval), total(iif(has_interval, stress_low, 0)), total(iif(has_interval, stress_high, 0))
    FROM measurement_in_quarter
    """

  private static let emptying = emptying(readingZeros + added.map { "\($0) = 0" })
}
