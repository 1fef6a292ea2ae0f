// Step 5. Released steps are never edited.
extension Schema {
  /// Step 5: the table `quarter_hour` with sums of the measurements of each quarter hour. With it, a year is read in
  /// milliseconds. Schema+Intervals.swift contains its current form.
  ///
  /// Quarter hours are in UTC. The offset of every time zone is a multiple of a quarter hour, so a local day consists of
  /// complete quarter hours.
  ///
  /// Triggers mark the row of a quarter hour as stale after any write of a measurement, and readers compute the sums of a
  /// stale quarter hour from its measurements. A writer computes its stale rows again before it commits: adding each
  /// measurement to its row would cost ten times as much. A deletion also clears the row immediately: it must not contain
  /// anything of deleted measurements.
  static let rollup =
    """
    CREATE TABLE quarter_hour (
      profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
      quarter INTEGER NOT NULL,
      simulated INTEGER NOT NULL,
      is_stale INTEGER NOT NULL DEFAULT 0,
      \(sums.map { "\($0) INTEGER NOT NULL DEFAULT 0" }.joined(separator: ",\n  ")),
      \(totals.map { "\($0) REAL NOT NULL DEFAULT 0" }.joined(separator: ",\n  ")),
      \((lows + highs).map { "\($0) REAL" }.joined(separator: ",\n  ")),
      PRIMARY KEY (profile, quarter, simulated)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX stale_quarter_hour ON quarter_hour (profile, quarter) WHERE is_stale;
    CREATE VIEW measurement_in_quarter AS
      SELECT m.id, m.profile, m.time_us, \(quarter(of: "m.time_us")) AS quarter,
        s.source = 'simulated' AS simulated, m.beats, m.normal_beats, m.confidence, m.category,
        m.stress, m.rmssd_ms, m.sdnn_ms, m.mean_hr_bpm,
        m.stress IS NOT NULL AND m.rmssd_ms IS NOT NULL AND m.sdnn_ms IS NOT NULL
          AND m.mean_hr_bpm IS NOT NULL AS is_scored
      FROM measurement m JOIN session s ON s.number = m.session;
    INSERT INTO quarter_hour \(summedColumns) \(firstSums) WHERE true GROUP BY profile, quarter, simulated;
    CREATE TRIGGER measurement_enters_quarter AFTER INSERT ON measurement BEGIN \(marking); END;
    CREATE TRIGGER measurement_leaves_quarter AFTER DELETE ON measurement BEGIN \(firstEmptying); END;
    CREATE TRIGGER measurement_changes_in_quarter AFTER UPDATE ON measurement BEGIN \(firstEmptying); \(marking); END;
    """

  private static let quantities = ["stress", "rmssd", "sdnn", "hr"]
  private static let counts = ["relaxed", "mild", "moderate", "high"]
  private static let sums = ["measurements", "beats", "normal_beats"] + counts
  private static let totals = ["confidence_sum"] + quantities.flatMap { ["\($0)_sum", "\($0)_squares"] }
  private static let lows = quantities.map { "\($0)_low" }
  private static let highs = quantities.map { "\($0)_high" }

  /// The number of the quarter hour of a time in microseconds, in SQL. Rounded down, also before 1970.
  static func quarter(of time: String) -> String {
    "(\(time) - (\(time) % 900000000 + 900000000) % 900000000) / 900000000"
  }

  private static let summedColumns =
    "(" + (["profile", "quarter", "simulated"] + sums + totals + lows + highs).joined(separator: ", ") + ")"

  private static let firstSums: String = {
    let columns = zip(quantities, ["stress", "rmssd_ms", "sdnn_ms", "mean_hr_bpm"])
    let values =
      ["count(*)", "sum(beats)", "sum(normal_beats)"]
      + counts.map { "sum(is_scored AND category = '\($0)')" }
      + ["total(iif(is_scored, confidence, 0))"]
      + columns.flatMap { ["total(iif(is_scored, \($1), 0))", "total(iif(is_scored, \($1) * \($1), 0))"] }
      + columns.map { "min(iif(is_scored, \($1), NULL))" }
      + columns.map { "max(iif(is_scored, \($1), NULL))" }
    return """
      SELECT profile, quarter, simulated, \(values.joined(separator: ",\n    "))
      FROM measurement_in_quarter
      """
  }()

  static let marking = """
    INSERT INTO quarter_hour (profile, quarter, simulated, is_stale)
      SELECT NEW.profile, \(quarter(of: "NEW.time_us")), source = 'simulated', 1 FROM session
      WHERE number = NEW.session
      ON CONFLICT DO UPDATE SET is_stale = 1 WHERE NOT is_stale
    """

  private static let firstEmptying: String = {
    let values =
      ["is_stale = 1"] + (sums + totals).map { "\($0) = 0" } + (lows + highs).map { "\($0) = NULL" }
    return """
      UPDATE quarter_hour SET \(values.joined(separator: ", "))
        WHERE profile = OLD.profile AND quarter = \(quarter(of: "OLD.time_us")) AND (NOT is_stale OR measurements)
      """
  }()
}
