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
  var reading: MorningRecord
  var sessionID: String
  var profileName: FreeText
  var counts: Bool
  var isSimulated: Bool

  enum CodingKeys: String, CodingKey {
    case counts
    case sessionID = "session_id"
    case profileName = "profile_name"
    case isSimulated = "is_simulated"
  }

  init(from decoder: any Decoder) throws {
    reading = try MorningRecord(from: decoder)
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    sessionID = try columns.decode(String.self, forKey: .sessionID)
    profileName = try columns.decode(FreeText.self, forKey: .profileName)
    counts = try columns.decode(Bool.self, forKey: .counts)
    isSimulated = try columns.decode(Bool.self, forKey: .isSimulated)
  }

  var stored: StoredMorning {
    get throws(MalformedRow) {
      var stored = try reading.stored(session: SessionID(stored: sessionID), profile: profileName.text)
      (stored.counts, stored.isSimulated) = (counts, isSimulated)
      return stored
    }
  }

  /// The readings `b` that fulfil a condition, with their sessions `s` and profiles `p`.
  static func all(_ db: Database, where condition: String, _ arguments: NamedArguments) throws
    -> [StoredMorning]
  {
    try fetchAll(db.statement(select + "WHERE " + condition, arguments)).map { try $0.stored }
  }

  /// The condition that a reading can count.
  private static func isValid(_ b: String) -> String {
    "\(b).part = 0 AND \(b).refusal IS NULL AND \(b).rmssd_ms > 0 AND \(b).hr_bpm > 0"
  }

  private static let select = """
    SELECT b.*, s.id AS session_id, p.name AS profile_name, s.source = 'simulated' AS is_simulated,
      (\(isValid("b"))
        AND (s.source <> 'simulated'
          OR NOT EXISTS (SELECT 1 FROM session o WHERE o.profile = s.profile AND o.source <> 'simulated'))
        AND NOT EXISTS (SELECT 1 FROM morning_reading e JOIN session t ON t.number = e.session
          WHERE t.profile = s.profile AND (t.source = 'simulated') = (s.source = 'simulated') AND e.day = b.day
            AND \(isValid("e")) AND (e.time_us, e.id) < (b.time_us, b.id))) AS counts
    FROM morning_reading b JOIN session s ON s.number = b.session JOIN profile p ON p.number = s.profile

    """
}
