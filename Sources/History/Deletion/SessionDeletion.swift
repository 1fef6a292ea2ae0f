internal import GRDB
internal import HeartRate

/// A session that goes, as a whole or in part.
struct SessionDeletion {
  let number: Int64
  let id: SessionID
  let profile: String
  private let started: WallTime
  private let ended: WallTime
  /// Whether nobody has ended it yet.
  let isOpen: Bool
  /// The times of which it loses what is there; nil where all of it goes.
  private(set) var cut: Range<WallTime>?

  static func all(_ db: Database, _ scope: DeletionScope) throws -> [SessionDeletion] {
    switch scope {
    case .journalEntry, .measurements: return []
    case .everything: return try all(db, "TRUE", [])
    case .profile(let name): return try all(db, "p.name = ?", [.text(name)])
    case .session(let id): return try all(db, "s.id = ?", [.text(id.text)])
    case .times(let times, let name):
      let (condition, values) = HistoryFilter(times: times).ofSessions(name)
      return try all(db, condition, values).map { session in
        var session = session
        if session.started < times.lowerBound || session.ended >= times.upperBound { session.cut = times }
        return session
      }
    }
  }

  private static func all(_ db: Database, _ condition: String, _ values: [SQLValue]) throws
    -> [SessionDeletion]
  {
    try Query(
      db,
      """
      SELECT s.number, s.id, p.name, s.started_us, coalesce(s.ended_us,
        (SELECT s.started_us + ticks / 80 FROM session_event WHERE session = s.number ORDER BY sequence DESC LIMIT 1),
        s.started_us), s.outcome IS NULL
      FROM session s JOIN profile p ON p.number = s.profile WHERE \(condition) ORDER BY s.number
      """
    ).all(values) { row in
      SessionDeletion(
        number: row.integer(0), id: SessionID(stored: row.text(1)), profile: row.text(2),
        started: WallTime(microseconds: row.integer(3)), ended: WallTime(microseconds: row.integer(4)),
        isOpen: row.integer(5) != 0)
    }
  }

  static func profile(_ db: Database, of session: SessionID) throws -> String? {
    try Query(db, "SELECT p.name FROM session s JOIN profile p ON p.number = s.profile WHERE s.id = ?").first(
      .text(session.text)
    ) { $0.text(0) }
  }

  /// The first and the last time of what goes.
  var times: (WallTime, WallTime) {
    guard let cut else { return (started, max(started, ended)) }
    return (max(started, cut.lowerBound), min(ended, cut.upperBound))
  }

  /// How many events and measurements go.
  func counts(_ db: Database) throws -> (events: Int, measurements: Int) {
    func count(_ table: String, _ condition: (sql: String, values: [SQLValue])) throws -> Int {
      try Query(db, "SELECT count(*) FROM \(table) WHERE \(condition.sql)").first(condition.values) {
        Int($0.integer(0))
      } ?? 0
    }
    return (try count("session_event", events), try count("measurement", measurements))
  }

  func delete(_ db: Database) throws {
    guard cut != nil else {
      return try Query(db, "DELETE FROM session WHERE number = ?").run(.integer(number))
    }
    try keepStrap(db)
    try Query(db, "DELETE FROM session_event WHERE \(events.sql)").run(events.values)
    guard db.changesCount > 0 else { return try deleteMeasurements(db) }
    try deleteMeasurements(db)
    // What an exercise came to is of the whole of it.
    try Query(db, "DELETE FROM breathing WHERE session = ?").run(.integer(number))
    // What is left is looked through for rest anew.
    try Query(db, "DELETE FROM resting_window WHERE session = ?").run(.integer(number))
    try Query(db, "UPDATE session SET rest_found = NULL WHERE number = ?").run(.integer(number))
    try Query(
      db,
      """
      DELETE FROM session WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM session_event WHERE session = ?1)
        AND NOT EXISTS (SELECT 1 FROM measurement WHERE session = ?1)
      """
    ).run(.integer(number))
  }

  private func deleteMeasurements(_ db: Database) throws {
    try Query(db, "DELETE FROM measurement WHERE \(measurements.sql)").run(measurements.values)
  }

  /// The event that told of the strap may go, and what is left is still its.
  private func keepStrap(_ db: Database) throws {
    try Query(
      db,
      """
      UPDATE session SET (strap_address, strap_name) = (SELECT strap_address, strap_name FROM link_change
        WHERE session = ?1 AND strap_address IS NOT NULL ORDER BY sequence LIMIT 1)
      WHERE number = ?1 AND strap_address IS NULL
      """
    ).run(.integer(number))
  }

  /// A condition on `session_event`.
  private var events: (sql: String, values: [SQLValue]) {
    guard let cut else { return ("session = ?", [.integer(number)]) }
    return (
      "session = ? AND coalesce(wall_us, ? + ticks / 80) >= ? AND coalesce(wall_us, ? + ticks / 80) < ?",
      [
        .integer(number), .integer(started.microseconds), .integer(cut.lowerBound.microseconds),
        .integer(started.microseconds), .integer(cut.upperBound.microseconds),
      ]
    )
  }

  /// A condition on `measurement`: those whose windows hold beats that go.
  private var measurements: (sql: String, values: [SQLValue]) {
    guard let cut else { return ("session = ?", [.integer(number)]) }
    return (
      "session = ? AND time_us >= ? AND time_us - window_s * 1000000 < ?",
      [
        .integer(number), .integer(cut.lowerBound.microseconds), .integer(cut.upperBound.microseconds),
      ]
    )
  }
}
