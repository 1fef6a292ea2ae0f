internal import GRDB
internal import HeartRate

/// A row of the table `journal_entry`. The triggers are in the table `journal_trigger`.
struct JournalRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "journal_entry"

  /// Assigned when the row is inserted.
  var id: Int64?
  /// Number of the profile.
  var profile: Int64
  /// Number of the session.
  var session: Int64?
  var time: Int64
  var utcOffset: Int
  var mood: Int?
  var note: FreeText?

  enum CodingKeys: String, CodingKey {
    case id, profile, session, mood, note
    case time = "time_us"
    case utcOffset = "utc_offset_s"
  }

  private init(_ db: Database, _ entry: JournalEntry) throws {
    profile = try ProfileTable.number(db, creating: entry.profile)
    session = try entry.session.flatMap { try SessionRecord.number(db, of: $0) }
    time = entry.time.microseconds
    utcOffset = entry.utcOffset
    mood = entry.mood?.rating
    note = entry.note.map(FreeText.init)
  }

  /// Inserts a new entry.
  /// - Returns: The entry with its number.
  static func insert(_ db: Database, _ entry: JournalEntry) throws -> JournalEntry {
    try JournalRecord(db, entry).store(in: db)
    var stored = entry
    stored.id = db.lastInsertedRowID
    try setTriggers(db, entry.triggers, of: stored.id)
    return stored
  }

  /// Replaces the entry with the number and the profile of `entry`.
  static func update(_ db: Database, _ entry: JournalEntry) throws {
    let record = try JournalRecord(db, entry)
    try db.run(
      """
      UPDATE journal_entry SET session = :session, time_us = :time, utc_offset_s = :utcOffset, mood = :mood, note = :note
      WHERE id = :id AND profile = :profile
      """,
      [
        "session": record.session, "time": record.time, "utcOffset": record.utcOffset, "mood": record.mood,
        "note": record.note, "id": entry.id, "profile": record.profile,
      ])
    try setTriggers(db, entry.triggers, of: entry.id)
  }

  /// Replaces the triggers of the entry with the number `entry`.
  static func setTriggers(_ db: Database, _ triggers: [String], of entry: Int64) throws {
    try db.run("DELETE FROM journal_trigger WHERE entry = :entry", ["entry": entry])
    for trigger in triggers {
      try TriggerRecord(entry: entry, name: FreeText(trigger)).store(in: db, "ON CONFLICT DO NOTHING")
    }
  }

  /// A row of the table `journal_trigger`.
  private struct TriggerRecord: Encodable, PersistableRecord {
    static let databaseTableName = "journal_trigger"

    /// Number of the entry.
    var entry: Int64
    var name: FreeText
  }
}

// MARK: - Reading

extension JournalRecord {
  /// The condition of entries of the profile `:profile`.
  private static let ofProfile = "j.profile = \(ProfileTable.number)"

  /// The entry of `profile` with the number `id`.
  static func entry(_ db: Database, _ id: Int64, of profile: String) throws -> JournalEntry? {
    try entries(db, where: "j.id = :id AND \(ofProfile)", ["id": id, "profile": profile]).first
  }

  /// The newest `limit` entries within `times`, newest first.
  static func latest(_ db: Database, of profile: String, in times: Range<WallTime>, limit: Int) throws
    -> [JournalEntry]
  {
    try entries(
      db,
      where: """
        \(ofProfile) AND j.time_us >= :from AND j.time_us < :until ORDER BY j.time_us DESC, j.id DESC LIMIT :limit
        """,
      [
        "profile": profile, "from": times.lowerBound.microseconds, "until": times.upperBound.microseconds,
        "limit": limit,
      ])
  }

  /// The entries that refer to `session`, by time.
  static func referring(_ db: Database, to session: SessionID) throws -> [JournalEntry] {
    try entries(db, where: "s.id = :session ORDER BY j.time_us, j.id", ["session": session.text])
  }

  private static func entries(_ db: Database, where condition: String, _ arguments: NamedArguments) throws
    -> [JournalEntry]
  {
    let records = try StoredJournalRecord.fetchAll(
      db.statement(StoredJournalRecord.select + "WHERE " + condition, arguments))
    return try records.map { record in
      let triggers = try db.statement(
        "SELECT name FROM journal_trigger WHERE entry = :entry ORDER BY name", ["entry": record.entry.id])
      return record.stored(triggers: try FreeText.fetchAll(triggers).map(\.text))
    }
  }
}

/// A row of the table `journal_entry`, joined with its profile and its session.
private struct StoredJournalRecord: Decodable, FetchableRecord {
  var entry: JournalRecord
  var profileName: FreeText
  var sessionID: String?

  enum CodingKeys: String, CodingKey {
    case profileName = "profile_name"
    case sessionID = "session_id"
  }

  init(from decoder: any Decoder) throws {
    entry = try JournalRecord(from: decoder)
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    profileName = try columns.decode(FreeText.self, forKey: .profileName)
    sessionID = try columns.decodeIfPresent(String.self, forKey: .sessionID)
  }

  static let select = """
    SELECT j.*, p.name AS profile_name, s.id AS session_id
    FROM journal_entry j JOIN profile p ON p.number = j.profile LEFT JOIN session s ON s.number = j.session

    """

  func stored(triggers: [String]) -> JournalEntry {
    var stored = JournalEntry(
      profile: profileName.text, time: WallTime(microseconds: entry.time), utcOffset: entry.utcOffset,
      session: sessionID.map(SessionID.init(stored:)), mood: entry.mood.flatMap(Mood.init),
      triggers: triggers, note: entry.note?.text)
    stored.id = entry.id ?? 0
    return stored
  }
}
