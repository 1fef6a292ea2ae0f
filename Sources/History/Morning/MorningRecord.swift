internal import GRDB
internal import HeartRate
internal import Stress

/// A row of the table `morning_reading`.
struct MorningRecord: DailyReadingRecord {
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

  static func isValid(_ table: String) -> String {
    "\(table).part = 0 AND \(table).refusal IS NULL AND \(table).rmssd_ms > 0 AND \(table).hr_bpm > 0"
  }

  static func rank(_ table: String) -> String { "(\(table).time_us, \(table).id)" }
}
