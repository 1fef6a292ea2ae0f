internal import GRDB
internal import HeartRate

/// A row of a table of readings of which at most one counts for each day: morning readings, or nights.
protocol DailyReadingRecord: Codable, FetchableRecord, PersistableRecord {
  associatedtype Reading: CountedReading

  /// The condition that a reading can count. `table` is the alias of its table.
  static func isValid(_ table: String) -> String
  /// The values that order the valid readings of a day. The reading with the lowest rank counts.
  static func rank(_ table: String) -> String
  /// - Throws: ``MalformedRow`` for an unknown name.
  func stored(session: SessionID, profile: String) throws(MalformedRow) -> Reading
}

/// The properties of a stored reading that are computed when it is read.
protocol CountedReading {
  var counts: Bool { get set }
  var isSimulated: Bool { get set }
}

extension StoredMorning: CountedReading {}
extension StoredNight: CountedReading {}

extension HistoryReader {
  /// The newest readings of `profile` that match `filter`, newest first.
  func readings<Record: DailyReadingRecord>(
    _ table: Record.Type, of profile: String, matching filter: HistoryFilter, limit: Int
  ) throws(HistoryError) -> [Record.Reading] {
    try read { db in
      let condition = filter.breathingCondition(profile)
      return try JoinedReading<Record>.all(
        db, where: condition.sql + " ORDER BY b.time_us DESC, b.id DESC LIMIT :limit",
        condition.arguments(with: ["limit": limit]))
    }
  }

  /// The readings of `profile` that count, in `days` (since 1970-01-01), by day.
  func countedReadings<Record: DailyReadingRecord>(
    _ table: Record.Type, of profile: String, in days: Range<Int>
  ) throws(HistoryError) -> [Record.Reading] {
    try read { db in
      try JoinedReading<Record>.all(
        db, where: "p.name = :profile AND b.day >= :from AND b.day < :until AND counts ORDER BY b.day",
        ["profile": profile, "from": days.lowerBound, "until": days.upperBound])
    }
  }

  /// The readings of a session, by part.
  func readings<Record: DailyReadingRecord>(
    _ table: Record.Type, in session: SessionID
  ) throws(HistoryError) -> [Record.Reading] {
    try read { db in
      try JoinedReading<Record>.all(db, where: "s.id = :session ORDER BY b.part", ["session": session.text])
    }
  }
}

/// A row of a table of readings, joined with its session and its profile.
private struct JoinedReading<Record: DailyReadingRecord>: Decodable, FetchableRecord {
  private enum CodingKeys: String, CodingKey {
    case counts
    case session = "session_id"
    case profile = "profile_name"
    case isSimulated = "is_simulated"
  }

  private let record: Record
  private let session: String
  private let profile: FreeText
  private let counts: Bool
  private let isSimulated: Bool

  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: CodingKeys.self)
    record = try Record(from: decoder)
    session = try row.decode(String.self, forKey: .session)
    profile = try row.decode(FreeText.self, forKey: .profile)
    counts = try row.decode(Bool.self, forKey: .counts)
    isSimulated = try row.decode(Bool.self, forKey: .isSimulated)
  }

  /// The readings `b` that fulfil a condition, with their sessions `s` and profiles `p`.
  static func all(_ db: Database, where condition: String, _ arguments: NamedArguments) throws
    -> [Record.Reading]
  {
    try fetchAll(db.statement(select + "WHERE " + condition, arguments)).map { row in
      var reading = try row.record.stored(
        session: SessionID(stored: row.session), profile: row.profile.text)
      (reading.counts, reading.isSimulated) = (row.counts, row.isSimulated)
      return reading
    }
  }

  /// Readings of simulated sessions count only for a profile without other sessions.
  private static var select: String {
    let (table, isValid, rank) = (Record.databaseTableName, Record.isValid, Record.rank)
    return """
      SELECT b.*, s.id AS session_id, p.name AS profile_name, s.source = 'simulated' AS is_simulated,
        (\(isValid("b"))
          AND (s.source <> 'simulated'
            OR NOT EXISTS (SELECT 1 FROM session o WHERE o.profile = s.profile AND o.source <> 'simulated'))
          AND NOT EXISTS (SELECT 1 FROM \(table) e JOIN session t ON t.number = e.session
            WHERE t.profile = s.profile AND (t.source = 'simulated') = (s.source = 'simulated') AND e.day = b.day
              AND \(isValid("e")) AND \(rank("e")) < \(rank("b")))) AS counts
      FROM \(table) b JOIN session s ON s.number = b.session JOIN profile p ON p.number = s.profile

      """
  }
}
