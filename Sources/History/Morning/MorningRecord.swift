internal import GRDB
internal import HeartRate
internal import Stress

/// A row of the table `morning_reading`.
struct MorningRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "morning_reading"

  /// Number of the session.
  var session: Int64
  var part: Int
  var time: Int64
  var day: Int
  var posture: String
  var seconds: Double
  var beats: Int
  var normalBeats: Int
  var rmssd, sdnn, heartRate, confidence: Double?
  var refusal: String?

  enum CodingKeys: String, CodingKey {
    case session, part, day, posture, beats, confidence, refusal
    case time = "time_us"
    case seconds = "duration_s"
    case normalBeats = "normal_beats"
    case rmssd = "rmssd_ms"
    case sdnn = "sdnn_ms"
    case heartRate = "hr_bpm"
  }

  /// - Parameter session: Number of the session.
  init(_ reading: StoredMorning, session: Int64) {
    (self.session, part) = (session, reading.isStandingPart ? 1 : 0)
    (time, day, posture) = (reading.time.microseconds, reading.day, reading.posture.rawValue)
    (seconds, beats, normalBeats) = (reading.seconds, reading.beats, reading.normalBeats)
    (rmssd, sdnn, heartRate) = (reading.rmssd, reading.sdnn, reading.heartRate)
    (confidence, refusal) = (reading.confidence, reading.refusal?.rawValue)
  }

  /// - Throws: ``MalformedRow`` for an unknown posture or refusal.
  func stored(session: SessionID, profile: String) throws(MalformedRow) -> StoredMorning {
    var reading = StoredMorning(
      session: session, profile: profile, time: WallTime(microseconds: time), day: day,
      posture: try MorningPosture(stored: posture), seconds: seconds)
    reading.isStandingPart = part == 1
    (reading.beats, reading.normalBeats) = (beats, normalBeats)
    (reading.rmssd, reading.sdnn, reading.heartRate) = (rmssd, sdnn, heartRate)
    reading.confidence = confidence
    reading.refusal = try refusal.map(StoredMorning.Refusal.init(stored:))
    return reading
  }
}

/// A row of the table `morning_reading`, joined with its session and its profile.
struct StoredMorningRecord: Decodable, FetchableRecord {
  private var reading: MorningRecord
  private var source: ReadingSource

  init(from decoder: any Decoder) throws {
    reading = try MorningRecord(from: decoder)
    source = try ReadingSource(from: decoder)
  }

  /// The readings `b` that fulfil a condition, with their sessions `s` and profiles `p`.
  static func all(_ db: Database, where condition: String, _ arguments: NamedArguments) throws
    -> [StoredMorning]
  {
    try fetchAll(db.statement(select + "WHERE " + condition, arguments)).map { record in
      let session = SessionID(stored: record.source.sessionID)
      var stored = try record.reading.stored(session: session, profile: record.source.profileName.text)
      (stored.counts, stored.isSimulated) = (record.source.counts, record.source.isSimulated)
      return stored
    }
  }

  private static let select = ReadingSource.select(
    from: "morning_reading",
    isValid: { "\($0).part = 0 AND \($0).refusal IS NULL AND \($0).rmssd_ms > 0 AND \($0).hr_bpm > 0" },
    rank: { "(\($0).time_us, \($0).id)" })
}

/// The session of a reading, and whether the reading is that of its day in the series.
struct ReadingSource: Decodable {
  var sessionID: String
  var profileName: FreeText
  var counts: Bool
  var isSimulated: Bool

  private enum CodingKeys: String, CodingKey {
    case counts
    case sessionID = "session_id"
    case profileName = "profile_name"
    case isSimulated = "is_simulated"
  }

  /// A SELECT of the readings `b` of a table with their sessions `s` and profiles `p`. Of the valid readings of a day, the one with the
  /// lowest rank counts. Readings of simulated sessions count only for a profile without other sessions.
  /// - Parameters:
  ///   - isValid: The condition that a reading can count.
  ///   - rank: The values by which the readings of a day are ordered.
  static func select(from table: String, isValid: (String) -> String, rank: (String) -> String) -> String {
    """
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
