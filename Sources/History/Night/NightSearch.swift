internal import GRDB
internal import HeartRate
internal import Stress

/// Finds the nights in stored sessions that were not recorded as nights.
struct NightSearch {
  let connection: StoreConnection
  let location: StoreLocation

  /// Largest number of sessions that one search reads. The remaining ones follow at the next search.
  private static let most = 60
  private static let shortest = Int64(60 * SleepWindow.shortest) * 1_000_000

  /// Searches the newest ended sessions of `profile` that were not searched yet, each in its own transaction.
  /// - Returns: The error of a session that could not be read.
  func run(_ profile: String) throws(HistoryError) -> HistoryError? {
    let sessions = try connection.read { try Self.unsearched($0, profile) }
    guard !sessions.isEmpty, let reader = try HistoryReader(location) else { return nil }
    var failure: HistoryError?
    for session in sessions {
      guard let info = try reader.info(of: session) else { continue }
      var observer = NightObserver()
      let events = reader.events(of: session)
      for event in events { observer.update(event) }
      observer.finish()
      if let error = events.failure {
        failure = error
        continue
      }
      let found = SessionNights(observer, of: info, isIntended: false)
      try connection.write { db in
        guard let number = try SessionRecord.number(db, of: session) else { return }
        try Self.store(db, found.nights, session: number)
      }
    }
    return failure
  }

  private static func unsearched(_ db: Database, _ profile: String) throws -> [SessionID] {
    let statement = try db.statement(
      """
      SELECT s.id FROM session s
      WHERE s.profile = \(ProfileTable.number) AND s.outcome IS NOT NULL AND s.nights_found IS NULL
        AND \(SessionRecord.end) - s.started_us >= :shortest
      ORDER BY s.number DESC LIMIT :most
      """, ["profile": profile, "shortest": shortest, "most": most])
    return try String.fetchAll(statement).map(SessionID.init(stored:))
  }

  /// Replaces the nights of a session.
  static func store(_ db: Database, _ nights: [StoredNight], session: Int64) throws {
    try db.run(
      "DELETE FROM night WHERE session = :session AND part >= :count",
      ["session": session, "count": nights.count])
    for night in nights { try NightRecord(night, session: session).storeReplacing(in: db) }
    try db.run(
      "UPDATE session SET nights_found = :count WHERE number = :session",
      ["count": nights.count, "session": session])
  }
}
