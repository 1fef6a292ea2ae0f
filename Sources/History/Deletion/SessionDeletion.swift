internal import GRDB
internal import HeartRate

/// The deletion of one session, or of a part of it.
struct SessionDeletion {
  let number: Int64
  let id: SessionID
  let profile: String
  private let started: WallTime
  private let ended: WallTime
  /// Whether the session has no end yet.
  let isOpen: Bool
  /// The times that are deleted, or `nil` to delete the whole session.
  private(set) var cut: Range<WallTime>?

  private init(_ record: Record) {
    number = record.number
    id = SessionID(stored: record.id)
    profile = record.profileName.text
    started = WallTime(microseconds: record.started)
    ended = WallTime(microseconds: record.ended)
    isOpen = record.isOpen
  }

  static func all(_ db: Database, _ scope: DeletionScope) throws -> [SessionDeletion] {
    switch scope {
    case .journalEntry, .measurements: return []
    case .everything: return try all(db, SQLCondition("TRUE"))
    case .profile(let name): return try all(db, SQLCondition("p.name = :profile", ["profile": name]))
    case .session(let id): return try all(db, SQLCondition("s.id = :id", ["id": id.text]))
    case .times(let times, let name):
      return try all(db, HistoryFilter(times: times).sessionCondition(name)).map { session in
        var session = session
        if session.started < times.lowerBound || session.ended >= times.upperBound { session.cut = times }
        return session
      }
    }
  }

  private static func all(_ db: Database, _ condition: SQLCondition) throws -> [SessionDeletion] {
    let statement = try db.statement(
      """
      SELECT s.number, s.id, p.name AS profileName, s.started_us AS started, \(SessionRecord.end) AS ended,
        s.outcome IS NULL AS isOpen
      FROM session s JOIN profile p ON p.number = s.profile WHERE \(condition.sql) ORDER BY s.number
      """, condition.arguments)
    return try Record.fetchAll(statement).map(SessionDeletion.init)
  }

  private struct Record: Decodable, FetchableRecord {
    var number: Int64
    var id: String
    var profileName: FreeText
    var started: Int64
    var ended: Int64
    var isOpen: Bool
  }

  /// The first and the last deleted time.
  var times: (WallTime, WallTime) {
    guard let cut else { return (started, max(started, ended)) }
    return (max(started, cut.lowerBound), min(ended, cut.upperBound))
  }

  /// The number of deleted events and measurements.
  func counts(_ db: Database) throws -> (events: Int, measurements: Int) {
    (try events.count(db, "session_event"), try measurements.count(db, "measurement"))
  }
}

// MARK: - Deleting

extension SessionDeletion {
  func delete(_ db: Database) throws {
    guard cut != nil else {
      return try db.run("DELETE FROM session WHERE number = :session", ["session": number])
    }
    try keepStrap(db)
    try events.delete(db, from: "session_event")
    let isChanged = db.changesCount > 0
    try measurements.delete(db, from: "measurement")
    try deletePrompts(db)
    if isChanged { try deleteDerivedData(db) }
    if isChanged, let cut { try SyncDeletedTimes.insert(db, id, cut) }
  }

  /// The deletion of `times` of the session.
  func cutting(_ times: Range<WallTime>) -> SessionDeletion {
    var deletion = self
    deletion.cut = times
    return deletion
  }

  /// Deletes the prompts about moments within the deleted times.
  private func deletePrompts(_ db: Database) throws {
    guard let cut else { return }
    try db.run(
      "DELETE FROM prompt WHERE session = :session AND time_us >= :from AND time_us < :until",
      [
        "session": number, "from": cut.lowerBound.microseconds, "until": cut.upperBound.microseconds,
      ])
  }

  /// Deletes the measurements whose windows contain deleted beats.
  func deleteMeasurements(_ db: Database) throws { try measurements.delete(db, from: "measurement") }

  /// Deletes what was computed from all events of the session, and the session itself if nothing is left.
  private func deleteDerivedData(_ db: Database) throws {
    try db.run("DELETE FROM breathing WHERE session = :session", ["session": number])
    try db.run("DELETE FROM morning_reading WHERE session = :session", ["session": number])
    try db.run("DELETE FROM night WHERE session = :session", ["session": number])
    // The remaining events are searched for rest and nights again.
    try db.run("DELETE FROM resting_window WHERE session = :session", ["session": number])
    try db.run(
      "UPDATE session SET rest_found = NULL, nights_found = NULL WHERE number = :session", ["session": number]
    )
    try db.run(
      """
      DELETE FROM session WHERE number = :session
        AND NOT EXISTS (SELECT 1 FROM session_event WHERE session = :session)
        AND NOT EXISTS (SELECT 1 FROM measurement WHERE session = :session)
      """, ["session": number])
  }

  /// Copies the strap from the first link event to the session, because the link event may be deleted.
  private func keepStrap(_ db: Database) throws {
    try db.run(
      """
      UPDATE session SET (strap_address, strap_name) = (SELECT strap_address, strap_name FROM link_change
        WHERE session = :session AND strap_address IS NOT NULL ORDER BY sequence LIMIT 1)
      WHERE number = :session AND strap_address IS NULL
      """, ["session": number])
  }

  /// The deleted rows of `session_event`.
  private var events: SQLCondition {
    var condition = SQLCondition("session = :session", ["session": number])
    guard let cut else { return condition }
    let time = "coalesce(wall_us, :started + ticks / 80)"
    condition.and(
      "\(time) >= :from AND \(time) < :until",
      [
        "started": started.microseconds, "from": cut.lowerBound.microseconds,
        "until": cut.upperBound.microseconds,
      ])
    return condition
  }

  /// The deleted rows of `measurement`: those whose windows contain deleted beats.
  private var measurements: SQLCondition {
    var condition = SQLCondition("session = :session", ["session": number])
    guard let cut else { return condition }
    condition.and(
      "time_us >= :from AND time_us - window_s * 1000000 < :until",
      ["from": cut.lowerBound.microseconds, "until": cut.upperBound.microseconds])
    return condition
  }
}

extension SQLCondition {
  /// The number of rows of `table` that fulfil the condition.
  func count(_ db: Database, _ table: String) throws -> Int {
    try Int.fetchOne(db.statement("SELECT count(*) FROM \(table) WHERE \(sql)", arguments)) ?? 0
  }

  /// Deletes the rows of `table` that fulfil the condition.
  func delete(_ db: Database, from table: String) throws {
    try db.run("DELETE FROM \(table) WHERE \(sql)", arguments)
  }
}
