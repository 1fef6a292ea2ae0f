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
    SELECT s.id, p.name, \(columns.map { "b." + $0 }.joined(separator: ", "))
    FROM breathing b JOIN session s ON s.number = b.session JOIN profile p ON p.number = s.profile
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

  /// Those of `profile` that `filter` leaves, the latest first.
  static func latest(
    _ db: Database, profile: String, _ filter: HistoryFilter, limit: Int
  ) throws -> [StoredBreathing] {
    let (condition, values) = filter.ofExercises(profile)
    let query = try Query(db, "\(select) WHERE \(condition) ORDER BY b.time_us DESC, b.id DESC LIMIT ?")
    return try query.all(values + [.integer(Int64(limit))], make: exercise)
  }

  /// Those of a session, in their order.
  static func of(_ db: Database, _ session: SessionID) throws -> [StoredBreathing] {
    try Query(db, "\(select) WHERE s.id = ? ORDER BY b.time_us, b.id").all(
      .text(session.text), make: exercise)
  }

  private static func exercise(_ row: Columns) throws -> StoredBreathing {
    var result = StoredBreathing(
      session: SessionID(stored: row.text(0)), profile: row.text(1),
      time: WallTime(microseconds: row.integer(2)), pattern: row.text(3), cycles: Int(row.integer(4)),
      plannedCycles: Int(row.integer(5)), seconds: row.real(6))
    (result.before, result.during, result.after) = (part(row, 7), part(row, 12), part(row, 17))
    (result.coherence, result.amplitude) = (row.realOrNil(22), row.realOrNil(23))
    result.changed = try row.named(24, as: StoredBreathing.Changed.self)
    result.ratio = interval(row, 25)
    result.smallestDetectableRatio = row.realOrNil(28)
    result.resonance = interval(row, 29)
    return result
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
  package func add(_ result: StoredBreathing) throws(HistoryError) {
    try connection.write { try BreathingRow.add($0, result) }
  }
}

extension HistoryReader {
  /// The latest breathing exercises of `profile` that `filter` leaves, latest first. An exercise counts that began within
  /// its times; in all else it counts as its session does (``sessions(of:matching:limit:)``).
  package func breathingExercises(
    of profile: String, matching filter: HistoryFilter = HistoryFilter(), limit: Int
  ) throws(HistoryError) -> [StoredBreathing] {
    try read { try BreathingRow.latest($0, profile: profile, filter, limit: limit) }
  }

  /// What the breathing exercises in a session came to, in their order.
  package func breathingExercises(in session: SessionID) throws(HistoryError) -> [StoredBreathing] {
    try read { try BreathingRow.of($0, session) }
  }
}
