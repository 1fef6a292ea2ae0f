// Step 8. Released steps are never edited.
extension Schema {
  /// Step 8: the engine version, readings, paced breathing and usable measurements.
  ///
  /// `is_usable` is the only definition of a measurement that counts in trends, reports, status and insights. `is_paced` of
  /// stored measurements is computed from the marks of their sessions.
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

  /// The sums of a quarter hour contain usable measurements; those of `unpaced_...` omit windows with paced breathing.
  /// `measurements`, `beats` and `normal_beats` count all measurements, `scored` all with a stress value.
  private static let added = Sums(
    counts: ["scored", "unpaced"], quantities: ["unpaced_rmssd", "unpaced_sdnn"])
  private static let all = Sums(
    counts: ["measurements", "beats", "normal_beats", "relaxed", "mild", "moderate", "high"] + added.counts,
    quantities: ["stress", "rmssd", "sdnn", "hr"] + added.quantities)

  /// Groups of columns of `quarter_hour`.
  private struct Sums {
    var counts: [String]
    var quantities: [String]

    var totals: [String] { quantities.flatMap { ["\($0)_sum", "\($0)_squares"] } }
    var extremes: [String] { quantities.map { "\($0)_low" } + quantities.map { "\($0)_high" } }
  }

  /// Part of step 8: adds columns and computes the sums again with the current rule.
  static let usableSums =
    """
    DROP TRIGGER measurement_leaves_quarter;
    DROP VIEW measurement_in_quarter;
    \(added.counts.map { "ALTER TABLE quarter_hour ADD COLUMN \($0) INTEGER NOT NULL DEFAULT 0;" }.joined())
    \(added.totals.map { "ALTER TABLE quarter_hour ADD COLUMN \($0) REAL NOT NULL DEFAULT 0;" }.joined())
    \(added.extremes.map { "ALTER TABLE quarter_hour ADD COLUMN \($0) REAL;" }.joined())
    CREATE VIEW measurement_in_quarter AS
      SELECT m.id, m.profile, m.time_us, \(quarter(of: "m.time_us")) AS quarter,
        s.source = 'simulated' AS simulated, m.beats, m.normal_beats, m.confidence, m.category,
        m.stress, m.rmssd_ms, m.sdnn_ms, m.mean_hr_bpm,
        m.stress IS NOT NULL AS is_scored, m.is_usable, m.is_usable AND NOT m.is_paced AS is_unpaced
      FROM measurement m JOIN session s ON s.number = m.session;
    DELETE FROM quarter_hour;
    INSERT INTO quarter_hour (\(readingColumns.joined(separator: ", ")))
      \(readingSums) WHERE true GROUP BY profile, quarter, simulated;
    CREATE TRIGGER measurement_leaves_quarter AFTER DELETE ON measurement BEGIN \(readingEmptying); END;
    CREATE TRIGGER measurement_changes_in_quarter AFTER UPDATE ON measurement BEGIN \(readingEmptying); \(marking); END;
    """

  /// The columns of ``readingSums``, in its order: the key, counts, totals and extremes.
  static let readingColumns =
    ["profile", "quarter", "simulated"] + all.counts + ["confidence_sum"] + all.totals + all.extremes

  /// The values of ``readingColumns`` after the key, in SQL.
  static let readingValues: String = {
    let columns = [
      ("stress", "is_usable"), ("rmssd_ms", "is_usable"), ("sdnn_ms", "is_usable"),
      ("mean_hr_bpm", "is_usable"), ("rmssd_ms", "is_unpaced"), ("sdnn_ms", "is_unpaced"),
    ]
    let categories = ["relaxed", "mild", "moderate", "high"]
    let values =
      ["count(*)", "sum(beats)", "sum(normal_beats)"]
      + categories.map { "sum(is_usable AND category = '\($0)')" }
      + ["sum(is_scored)", "sum(is_unpaced)", "total(iif(is_usable, confidence, 0))"]
      + columns.flatMap { ["total(iif(\($1), \($0), 0))", "total(iif(\($1), \($0) * \($0), 0))"] }
      + columns.map { "min(iif(\($1), \($0), NULL))" } + columns.map { "max(iif(\($1), \($0), NULL))" }
    return values.joined(separator: ",\n    ")
  }()

  private static let readingSums = """
    SELECT profile, quarter, simulated, \(readingValues)
    FROM measurement_in_quarter
    """

  /// The assignments that clear the sums of a row.
  static let readingZeros =
    (all.counts + ["confidence_sum"] + all.totals).map { "\($0) = 0" } + all.extremes.map { "\($0) = NULL" }

  private static let readingEmptying = emptying(readingZeros)

  /// An UPDATE that marks the row of a changed measurement as stale and applies `assignments` to it.
  static func emptying(_ assignments: [String]) -> String {
    """
    UPDATE quarter_hour SET \((["is_stale = 1"] + assignments).joined(separator: ", "))
      WHERE profile = OLD.profile AND quarter = \(quarter(of: "OLD.time_us")) AND (NOT is_stale OR measurements)
    """
  }
}
