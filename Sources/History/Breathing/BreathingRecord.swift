internal import GRDB
internal import HeartRate

/// A row of the table `breathing`.
struct BreathingRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "breathing"

  /// Number of the session.
  var session: Int64
  var time: Int64
  var pattern: FreeText
  var cycles: Int
  var plannedCycles: Int
  var seconds: Double
  var beforeRMSSD, beforeSDNN, beforeHeartRate, beforeStress, beforeConfidence: Double?
  var duringRMSSD, duringSDNN, duringHeartRate, duringStress, duringConfidence: Double?
  var afterRMSSD, afterSDNN, afterHeartRate, afterStress, afterConfidence: Double?
  var coherence: Double?
  var amplitude: Double?
  var changed: String
  var ratio, ratioLow, ratioHigh: Double?
  var smallestDetectableRatio: Double?
  var resonance, resonanceLow, resonanceHigh: Double?

  enum CodingKeys: String, CodingKey {
    case session, pattern, cycles, coherence, changed
    case time = "time_us"
    case plannedCycles = "planned_cycles"
    case seconds = "during_s"
    case beforeRMSSD = "before_rmssd_ms"
    case beforeSDNN = "before_sdnn_ms"
    case beforeHeartRate = "before_hr_bpm"
    case beforeStress = "before_stress"
    case beforeConfidence = "before_confidence"
    case duringRMSSD = "during_rmssd_ms"
    case duringSDNN = "during_sdnn_ms"
    case duringHeartRate = "during_hr_bpm"
    case duringStress = "during_stress"
    case duringConfidence = "during_confidence"
    case afterRMSSD = "after_rmssd_ms"
    case afterSDNN = "after_sdnn_ms"
    case afterHeartRate = "after_hr_bpm"
    case afterStress = "after_stress"
    case afterConfidence = "after_confidence"
    case amplitude = "rsa_ms"
    case ratio = "rmssd_ratio"
    case ratioLow = "rmssd_ratio_low"
    case ratioHigh = "rmssd_ratio_high"
    case smallestDetectableRatio = "smallest_detectable_ratio"
    case resonance = "resonance_brpm"
    case resonanceLow = "resonance_low_brpm"
    case resonanceHigh = "resonance_high_brpm"
  }

  /// - Parameter session: Number of the session.
  init(_ result: StoredBreathing, session: Int64) {
    self.session = session
    time = result.time.microseconds
    pattern = FreeText(result.pattern)
    (cycles, plannedCycles, seconds) = (result.cycles, result.plannedCycles, result.seconds)
    let (before, during, after) = (result.before, result.during, result.after)
    (beforeRMSSD, beforeSDNN, beforeHeartRate) = (before.rmssd, before.sdnn, before.heartRate)
    (beforeStress, beforeConfidence) = (before.stress, before.confidence)
    (duringRMSSD, duringSDNN, duringHeartRate) = (during.rmssd, during.sdnn, during.heartRate)
    (duringStress, duringConfidence) = (during.stress, during.confidence)
    (afterRMSSD, afterSDNN, afterHeartRate) = (after.rmssd, after.sdnn, after.heartRate)
    (afterStress, afterConfidence) = (after.stress, after.confidence)
    (coherence, amplitude) = (result.coherence, result.amplitude)
    changed = result.changed.rawValue
    (ratio, ratioLow, ratioHigh) = (result.ratio?.value, result.ratio?.low, result.ratio?.high)
    smallestDetectableRatio = result.smallestDetectableRatio
    (resonance, resonanceLow, resonanceHigh) = (
      result.resonance?.value, result.resonance?.low, result.resonance?.high
    )
  }

  /// - Throws: ``MalformedRow`` for an unknown value of `changed`.
  func stored(session: SessionID, profile: String) throws(MalformedRow) -> StoredBreathing {
    var result = StoredBreathing(
      session: session, profile: profile, time: WallTime(microseconds: time), pattern: pattern.text,
      cycles: cycles, plannedCycles: plannedCycles, seconds: seconds)
    result.before = StoredBreathing.Part(
      rmssd: beforeRMSSD, sdnn: beforeSDNN, heartRate: beforeHeartRate, stress: beforeStress,
      confidence: beforeConfidence)
    result.during = StoredBreathing.Part(
      rmssd: duringRMSSD, sdnn: duringSDNN, heartRate: duringHeartRate, stress: duringStress,
      confidence: duringConfidence)
    result.after = StoredBreathing.Part(
      rmssd: afterRMSSD, sdnn: afterSDNN, heartRate: afterHeartRate, stress: afterStress,
      confidence: afterConfidence)
    (result.coherence, result.amplitude) = (coherence, amplitude)
    result.changed = try StoredBreathing.Changed(stored: changed)
    result.ratio = StoredBreathing.Interval(ratio, ratioLow, ratioHigh)
    result.smallestDetectableRatio = smallestDetectableRatio
    result.resonance = StoredBreathing.Interval(resonance, resonanceLow, resonanceHigh)
    return result
  }
}

extension StoredBreathing.Interval {
  /// Fails unless all three values are stored.
  fileprivate init?(_ value: Double?, _ low: Double?, _ high: Double?) {
    guard let value, let low, let high else { return nil }
    self.init(value: value, low: low, high: high)
  }
}

/// A row of the table `breathing`, joined with its session and its profile.
private struct StoredBreathingRecord: Decodable, FetchableRecord {
  var exercise: BreathingRecord
  var sessionID: String
  var profileName: FreeText
  var isSimulated: Bool

  enum CodingKeys: String, CodingKey {
    case sessionID = "session_id"
    case isSimulated = "is_simulated"
    case profileName = "profile_name"
  }

  init(from decoder: any Decoder) throws {
    exercise = try BreathingRecord(from: decoder)
    let columns = try decoder.container(keyedBy: CodingKeys.self)
    sessionID = try columns.decode(String.self, forKey: .sessionID)
    profileName = try columns.decode(FreeText.self, forKey: .profileName)
    isSimulated = try columns.decode(Bool.self, forKey: .isSimulated)
  }

  static func all(_ db: Database, where condition: String, _ arguments: NamedArguments) throws
    -> [StoredBreathing]
  {
    let statement = try db.statement(
      """
      SELECT b.*, s.id AS session_id, p.name AS profile_name, s.source = 'simulated' AS is_simulated
      FROM breathing b JOIN session s ON s.number = b.session JOIN profile p ON p.number = s.profile
      WHERE \(condition)
      """, arguments)
    return try fetchAll(statement).map { record in
      var stored = try record.exercise.stored(
        session: SessionID(stored: record.sessionID), profile: record.profileName.text)
      stored.isSimulated = record.isSimulated
      return stored
    }
  }
}

extension HistoryWriter {
  /// Stores the result of a breathing exercise. Does nothing if its session is not stored, or if a result of the same session
  /// and time is stored already.
  package func add(_ result: StoredBreathing) throws(HistoryError) {
    try connection.write { db in
      guard let session = try SessionRecord.number(db, of: result.session) else { return }
      try BreathingRecord(result, session: session).store(
        in: db, "ON CONFLICT (session, time_us) DO NOTHING")
    }
  }
}

extension HistoryReader {
  /// The newest breathing exercises of `profile` that match `filter`, newest first. The times of the filter apply to the
  /// start of an exercise, its other properties to the session (``sessions(of:matching:limit:)``).
  package func breathingExercises(
    of profile: String, matching filter: HistoryFilter = HistoryFilter(), limit: Int
  ) throws(HistoryError) -> [StoredBreathing] {
    try read { db in
      let condition = filter.breathingCondition(profile)
      return try StoredBreathingRecord.all(
        db, where: condition.sql + " ORDER BY b.time_us DESC, b.id DESC LIMIT :limit",
        condition.arguments(with: ["limit": limit]))
    }
  }

  /// The breathing exercises of a session, by time.
  package func breathingExercises(in session: SessionID) throws(HistoryError) -> [StoredBreathing] {
    try read { db in
      try StoredBreathingRecord.all(
        db, where: "s.id = :session ORDER BY b.time_us, b.id", ["session": session.text])
    }
  }
}
