internal import GRDB
internal import HeartRate

/// How an exercise lies in the table `breathing`.
enum BreathingRow {
  private static let parts = ["before", "during", "after"].flatMap { part in
    ["rmssd_ms", "sdnn_ms", "hr_bpm", "stress", "confidence"].map { "\(part)_\($0)" }
  }
  private static let columns =
    ["time_us", "pattern", "cycles", "planned_cycles", "during_s"] + parts + [
      "coherence", "rsa_ms", "changed", "rmssd_ratio", "rmssd_ratio_low", "rmssd_ratio_high",
      "smallest_detectable_ratio", "resonance_brpm", "resonance_low_brpm", "resonance_high_brpm",
    ]

  private static let insert = """
    INSERT INTO breathing (session, \(columns.joined(separator: ", ")))
    SELECT number, \((0..<columns.count).map { "?\($0 + 2)" }.joined(separator: ", ")) FROM session WHERE id = ?1
    ON CONFLICT (session, time_us) DO NOTHING
    """

  private static let select = """
    SELECT s.id, \(columns.map { "b." + $0 }.joined(separator: ", "))
    FROM breathing b JOIN session s ON s.number = b.session JOIN profile p ON p.number = s.profile
    WHERE p.name = ? ORDER BY b.time_us DESC, b.id DESC LIMIT ?
    """

  /// Stores what an exercise came to, once; nothing where its session is not stored.
  static func add(_ db: Database, _ result: StoredBreathing) throws {
    let (a, b, c) = (result.before, result.during, result.after)
    try Query(db, insert).run(
      .text(result.session.text), .integer(result.time.microseconds), .text(result.pattern),
      .integer(Int64(result.cycles)), .integer(Int64(result.plannedCycles)), .real(result.seconds),
      .real(a.rmssd), .real(a.sdnn), .real(a.heartRate), .real(a.stress), .real(a.confidence),
      .real(b.rmssd), .real(b.sdnn), .real(b.heartRate), .real(b.stress), .real(b.confidence),
      .real(c.rmssd), .real(c.sdnn), .real(c.heartRate), .real(c.stress), .real(c.confidence),
      .real(result.coherence), .real(result.amplitude), .text(result.changed.rawValue),
      .real(result.ratio?.value), .real(result.ratio?.low), .real(result.ratio?.high),
      .real(result.smallestDetectableRatio), .real(result.resonance?.value), .real(result.resonance?.low),
      .real(result.resonance?.high))
  }

  /// Those of `profile`, the latest first.
  static func latest(_ db: Database, profile: String, limit: Int) throws -> [StoredBreathing] {
    try Query(db, select).all(.text(profile), .integer(Int64(limit))) { row in
      var result = StoredBreathing(
        session: SessionID(stored: row.text(0)), time: WallTime(microseconds: row.integer(1)),
        pattern: row.text(2), cycles: Int(row.integer(3)), plannedCycles: Int(row.integer(4)),
        seconds: row.real(5))
      (result.before, result.during, result.after) = (part(row, 6), part(row, 11), part(row, 16))
      (result.coherence, result.amplitude) = (row.realOrNil(21), row.realOrNil(22))
      result.changed = try row.named(23, as: StoredBreathing.Changed.self)
      result.ratio = interval(row, 24)
      result.smallestDetectableRatio = row.realOrNil(27)
      result.resonance = interval(row, 28)
      return result
    }
  }

  private static func part(_ row: Columns, _ column: CInt) -> StoredBreathing.Part {
    StoredBreathing.Part(
      rmssd: row.realOrNil(column), sdnn: row.realOrNil(column + 1), heartRate: row.realOrNil(column + 2),
      stress: row.realOrNil(column + 3), confidence: row.realOrNil(column + 4))
  }

  private static func interval(_ row: Columns, _ column: CInt) -> StoredBreathing.Interval? {
    guard let value = row.realOrNil(column), let low = row.realOrNil(column + 1),
      let high = row.realOrNil(column + 2)
    else { return nil }
    return StoredBreathing.Interval(value: value, low: low, high: high)
  }
}

extension HistoryWriter {
  /// Stores what the breathing exercise of a stored session came to, once.
  public func add(_ result: StoredBreathing) throws(HistoryError) {
    try connection.write { try BreathingRow.add($0, result) }
  }
}

extension HistoryReader {
  /// The latest breathing exercises of `profile`, latest first.
  public func breathingExercises(of profile: String, limit: Int) throws(HistoryError) -> [StoredBreathing] {
    try read { try BreathingRow.latest($0, profile: profile, limit: limit) }
  }
}
