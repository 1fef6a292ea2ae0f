internal import GRDB
internal import HeartRate

/// How a journal entry lies in the tables `journal_entry` and `journal_trigger`.
enum JournalRow {
  private static let ofProfile = "profile = (SELECT number FROM profile WHERE name = ?)"

  /// Stores a new entry; gives it its number.
  static func insert(_ db: Database, _ entry: JournalEntry) throws -> JournalEntry {
    try Query(
      db,
      """
      INSERT INTO journal_entry (profile, session, time_us, utc_offset_s, mood, note)
      VALUES (?, (SELECT number FROM session WHERE id = ?), ?, ?, ?, ?)
      """
    ).run([.integer(try SessionRow.profile(db, entry.profile))] + values(entry))
    var stored = entry
    stored.id = db.lastInsertedRowID
    try set(db, entry.triggers, of: stored.id)
    return stored
  }

  /// Makes the entry of this number and profile what `entry` is.
  static func update(_ db: Database, _ entry: JournalEntry) throws {
    try Query(
      db,
      """
      UPDATE journal_entry SET session = (SELECT number FROM session WHERE id = ?), time_us = ?, utc_offset_s = ?,
        mood = ?, note = ? WHERE id = ? AND \(ofProfile)
      """
    ).run(values(entry) + [.integer(entry.id), .text(entry.profile)])
    try Query(db, "DELETE FROM journal_trigger WHERE entry = ?").run(.integer(entry.id))
    try set(db, entry.triggers, of: entry.id)
  }

  private static func values(_ entry: JournalEntry) -> [SQLValue] {
    [
      .text(entry.session?.text), .integer(entry.time.microseconds), .integer(Int64(entry.utcOffset)),
      .integer(entry.mood.map { Int64($0.rating) }), .text(entry.note),
    ]
  }

  private static func set(_ db: Database, _ triggers: [String], of entry: Int64) throws {
    let insert = try Query(
      db, "INSERT INTO journal_trigger (entry, name) VALUES (?, ?) ON CONFLICT DO NOTHING")
    for trigger in triggers { try insert.run(.integer(entry), .text(trigger)) }
  }
}

// MARK: - Reading

extension JournalRow {
  private static let select = """
    SELECT j.id, p.name, j.time_us, j.utc_offset_s, s.id, j.mood, j.note
    FROM journal_entry j JOIN profile p ON p.number = j.profile LEFT JOIN session s ON s.number = j.session

    """

  static func numbered(_ db: Database, _ id: Int64, of profile: String) throws -> JournalEntry? {
    try entries(db, "WHERE j.id = ? AND j.\(ofProfile)", [.integer(id), .text(profile)]).first
  }

  /// Those within `times`, the latest first.
  static func latest(_ db: Database, of profile: String, in times: Range<WallTime>, limit: Int) throws
    -> [JournalEntry]
  {
    try entries(
      db,
      "WHERE j.\(ofProfile) AND j.time_us >= ? AND j.time_us < ? ORDER BY j.time_us DESC, j.id DESC LIMIT ?",
      [
        .text(profile), .integer(times.lowerBound.microseconds), .integer(times.upperBound.microseconds),
        .integer(Int64(limit)),
      ])
  }

  /// Those about `session`, in their order.
  static func about(_ db: Database, _ session: SessionID) throws -> [JournalEntry] {
    try entries(
      db, "WHERE j.session = (SELECT number FROM session WHERE id = ?) ORDER BY j.time_us, j.id",
      [.text(session.text)])
  }

  private static func entries(_ db: Database, _ condition: String, _ values: [SQLValue]) throws
    -> [JournalEntry]
  {
    var entries = try Query(db, select + condition).all(values, make: entry)
    let triggers = try Query(db, "SELECT name FROM journal_trigger WHERE entry = ? ORDER BY name")
    for place in entries.indices {
      entries[place].triggers = try triggers.all(.integer(entries[place].id)) { $0.text(0) }
    }
    return entries
  }

  private static func entry(_ row: Columns) throws -> JournalEntry {
    var entry = JournalEntry(
      profile: row.text(1), time: WallTime(microseconds: row.integer(2)), utcOffset: Int(row.integer(3)),
      session: row.textOrNil(4).map(SessionID.init(stored:)),
      mood: row.integerOrNil(5).flatMap { Mood(Int($0)) }, note: row.textOrNil(6))
    entry.id = row.integer(0)
    return entry
  }
}
