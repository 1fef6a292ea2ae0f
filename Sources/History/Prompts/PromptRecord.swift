internal import GRDB
package import HeartRate
package import Stress

/// A row of the table `prompt`.
struct PromptRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "prompt"

  /// Assigned when the row is inserted.
  var id: Int64?
  /// Numbers of the profile and of the session.
  var profile, session: Int64
  var time: Int64
  var stress, confidence, rmssd, normalLow, normalHigh: Double
  var answer: String?
  var answered: Int64?
  /// Number of the journal entry.
  var entry: Int64?

  enum CodingKeys: String, CodingKey {
    case id, profile, session, stress, confidence, answer, entry
    case time = "time_us"
    case rmssd = "rmssd_ms"
    case normalLow = "normal_low_ms"
    case normalHigh = "normal_high_ms"
    case answered = "answered_us"
  }

  init(_ prompt: StressPrompt, profile: Int64, session: Int64) {
    (self.profile, self.session, time) = (profile, session, prompt.time.microseconds)
    (stress, confidence, rmssd) = (prompt.stress, prompt.confidence, prompt.rmssd)
    (normalLow, normalHigh) = (prompt.normal.lowerBound, prompt.normal.upperBound)
  }
}

/// A row of the table `prompt`, joined with its profile and its session.
private struct StoredPromptRecord: Decodable, FetchableRecord {
  var prompt: PromptRecord
  var profileName: FreeText
  var sessionID: String

  enum CodingKeys: String, CodingKey {
    case profileName = "profile_name"
    case sessionID = "session_id"
  }

  init(from decoder: any Decoder) throws {
    prompt = try PromptRecord(from: decoder)
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    profileName = try columns.decode(FreeText.self, forKey: .profileName)
    sessionID = try columns.decode(String.self, forKey: .sessionID)
  }

  /// The newest `limit` prompts that fulfil `condition`, newest first.
  static func latest(
    _ db: Database, where condition: String, _ arguments: NamedArguments, limit: Int = .max
  ) throws -> [StoredPrompt] {
    let statement = try db.statement(
      """
      SELECT q.*, p.name AS profile_name, s.id AS session_id
      FROM prompt q JOIN profile p ON p.number = q.profile JOIN session s ON s.number = q.session
      WHERE \(condition) ORDER BY q.time_us DESC, q.id DESC LIMIT :limit
      """, arguments.merging(["limit": limit]) { $1 })
    return try fetchAll(statement).map { try $0.stored }
  }

  private var stored: StoredPrompt {
    get throws(MalformedRow) {
      let (low, high) = (prompt.normalLow, max(prompt.normalLow, prompt.normalHigh))
      return StoredPrompt(
        id: prompt.id ?? 0, profile: profileName.text, session: SessionID(stored: sessionID),
        measurement: StressPrompt(
          time: WallTime(microseconds: prompt.time), stress: prompt.stress, confidence: prompt.confidence,
          rmssd: prompt.rmssd, normal: low...high),
        answer: try prompt.answer.map(StressPrompt.Answer.init(stored:)),
        answered: prompt.answered.map(WallTime.init(microseconds:)), entry: prompt.entry)
    }
  }
}

extension HistoryReader {
  /// The newest `limit` prompts of `profile` within `times`, newest first.
  package func prompts(
    of profile: String, in times: Range<WallTime> = HistoryFilter.always, limit: Int = .max
  ) throws(HistoryError) -> [StoredPrompt] {
    try read { try PromptTable.latest($0, of: profile, in: times, limit: limit) }
  }

  /// The prompt of `profile` with the number `id`, if there is one.
  package func prompt(_ id: Int64, of profile: String) throws(HistoryError) -> StoredPrompt? {
    try read { try PromptTable.prompt($0, id, of: profile) }
  }
}

extension HistoryWriter {
  /// Stores a prompt of a session if ``PromptLimits`` permit it, in one transaction: sessions of one profile share the limits.
  /// - Parameter dayStart: The start of the local day.
  /// - Returns: The stored prompt; nil if it is not permitted, or if the session is not stored.
  package func add(
    _ prompt: StressPrompt, to session: SessionID, of profile: String, dayStart: WallTime
  ) throws(HistoryError) -> StoredPrompt? {
    try connection.write { db in
      guard let number = try SessionRecord.number(db, of: session) else { return nil }
      // A day that begins late has room for the distance to the day before it.
      let since = dayStart.advanced(
        ticks: -2 * PromptLimits.leastDistance * RRInterval.ticksPerSecond)
      let earlier = try PromptTable.latest(
        db, of: profile, in: since..<WallTime(microseconds: .max), limit: 100)
      let known = earlier.map { PromptLimits.Earlier(time: $0.measurement.time, answer: $0.answer) }
      guard PromptLimits.permit(at: prompt.time, dayStart: dayStart, earlier: known) else { return nil }
      let profileNumber = try ProfileTable.number(db, creating: profile)
      try PromptRecord(prompt, profile: profileNumber, session: number).store(in: db)
      return try PromptTable.prompt(db, db.lastInsertedRowID, of: profile)
    }
  }

  /// Stores the first answer to the prompt of `profile` with the number `id`. "Yes" also creates a journal entry at the time of
  /// the measurement, which refers to its session. Both happen in one transaction, so a second answer changes nothing.
  /// - Parameters:
  ///   - entry: The note, the mood and the triggers of the entry.
  package func answer(
    _ id: Int64, of profile: String, _ answer: StressPrompt.Answer, at time: WallTime,
    entry: JournalEntry? = nil
  ) throws(HistoryError) -> PromptAnswerOutcome {
    try connection.write { db in
      guard let prompt = try PromptTable.prompt(db, id, of: profile) else { return .missing }
      guard prompt.answer == nil else { return .answeredBefore(prompt) }
      var number: Int64?
      if answer == .yes, var entry {
        (entry.profile, entry.time, entry.session) = (profile, prompt.measurement.time, prompt.session)
        number = try JournalRecord.insert(db, entry).id
      }
      try db.run(
        "UPDATE prompt SET answer = :answer, answered_us = :time, entry = :entry WHERE id = :id",
        ["answer": answer.rawValue, "time": time.microseconds, "entry": number, "id": id])
      return try PromptTable.prompt(db, id, of: profile).map(PromptAnswerOutcome.stored) ?? .missing
    }
  }
}

/// Reads the table `prompt`.
private enum PromptTable {
  static func latest(_ db: Database, of profile: String, in times: Range<WallTime>, limit: Int) throws
    -> [StoredPrompt]
  {
    try StoredPromptRecord.latest(
      db, where: "q.profile = \(ProfileTable.number) AND q.time_us >= :from AND q.time_us < :until",
      [
        "profile": profile, "from": times.lowerBound.microseconds, "until": times.upperBound.microseconds,
      ], limit: limit)
  }

  static func prompt(_ db: Database, _ id: Int64, of profile: String) throws -> StoredPrompt? {
    try StoredPromptRecord.latest(
      db, where: "q.profile = \(ProfileTable.number) AND q.id = :id", ["profile": profile, "id": id]
    ).first
  }
}
