internal import GRDB
internal import HeartRate
internal import Stress

/// A row of the table `night`.
struct NightRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "night"

  /// Number of the session.
  var session: Int64
  var part: Int
  var time, startLow, startHigh, endLow, endHigh: Int64
  var day: Int
  var seconds: Double
  var beginsWithData, endsWithData: Bool
  var beats, normalBeats: Int
  var rmssd, heartRate, lowestHeartRate, respirationRate: Double?
  var lowestAt: Int64?
  var coverage, confidence: Double
  var wakeMinutes: Int?
  var refusal: String?

  enum CodingKeys: String, CodingKey {
    case session, part, day, beats, coverage, confidence, refusal
    case time = "time_us"
    case startLow = "start_low_us"
    case startHigh = "start_high_us"
    case endLow = "end_low_us"
    case endHigh = "end_high_us"
    case seconds = "duration_s"
    case beginsWithData = "begins_with_data"
    case endsWithData = "ends_with_data"
    case normalBeats = "normal_beats"
    case rmssd = "rmssd_ms"
    case heartRate = "hr_bpm"
    case lowestHeartRate = "lowest_hr_bpm"
    case respirationRate = "respiration_brpm"
    case lowestAt = "lowest_us"
    case wakeMinutes = "wake_min"
  }

  /// - Parameter session: Number of the session.
  init(_ night: StoredNight, session: Int64) {
    (self.session, part, time, day) = (session, night.part, night.time.microseconds, night.day)
    (startLow, startHigh) = (night.starts.lowerBound.microseconds, night.starts.upperBound.microseconds)
    (endLow, endHigh) = (night.ends.lowerBound.microseconds, night.ends.upperBound.microseconds)
    (seconds, beginsWithData, endsWithData) = (night.seconds, night.beginsWithData, night.endsWithData)
    (beats, normalBeats, rmssd, heartRate) = (night.beats, night.normalBeats, night.rmssd, night.heartRate)
    (lowestHeartRate, lowestAt) = (night.lowestHeartRate, night.lowestAt?.microseconds)
    (respirationRate, coverage, confidence) = (night.respirationRate, night.coverage, night.confidence)
    (wakeMinutes, refusal) = (night.wakeMinutes, night.refusal?.rawValue)
  }

  /// - Throws: ``MalformedRow`` for an unknown refusal.
  func stored(session: SessionID, profile: String) throws(MalformedRow) -> StoredNight {
    var night = StoredNight(
      session: session, profile: profile, time: WallTime(microseconds: time), day: day, seconds: seconds)
    night.part = part
    night.starts = Self.range(startLow, startHigh)
    night.ends = Self.range(endLow, endHigh)
    (night.beginsWithData, night.endsWithData) = (beginsWithData, endsWithData)
    (night.beats, night.normalBeats, night.rmssd, night.heartRate) = (beats, normalBeats, rmssd, heartRate)
    (night.lowestHeartRate, night.lowestAt) = (lowestHeartRate, lowestAt.map(WallTime.init(microseconds:)))
    (night.respirationRate, night.coverage, night.confidence) = (respirationRate, coverage, confidence)
    night.wakeMinutes = wakeMinutes
    night.refusal = try refusal.map(Night.Refusal.init(stored:))
    return night
  }

  private static func range(_ low: Int64, _ high: Int64) -> ClosedRange<WallTime> {
    WallTime(microseconds: min(low, high))...WallTime(microseconds: max(low, high))
  }
}

/// A row of the table `night`, joined with its session and its profile.
struct StoredNightRecord: Decodable, FetchableRecord {
  private var night: NightRecord
  private var source: ReadingSource

  init(from decoder: any Decoder) throws {
    night = try NightRecord(from: decoder)
    source = try ReadingSource(from: decoder)
  }

  /// The nights `b` that fulfil a condition, with their sessions `s` and profiles `p`.
  static func all(_ db: Database, where condition: String, _ arguments: NamedArguments) throws
    -> [StoredNight]
  {
    try fetchAll(db.statement(select + "WHERE " + condition, arguments)).map { record in
      let session = SessionID(stored: record.source.sessionID)
      var stored = try record.night.stored(session: session, profile: record.source.profileName.text)
      (stored.counts, stored.isSimulated) = (record.source.counts, record.source.isSimulated)
      return stored
    }
  }

  private static let select = ReadingSource.select(
    from: "night", isValid: { "\($0).refusal IS NULL AND \($0).rmssd_ms > 0 AND \($0).hr_bpm > 0" },
    rank: { "(-\($0).duration_s, \($0).time_us, \($0).id)" })
}

extension HistoryWriter {
  /// Stores the nights of a session, which is then not searched for nights. Does nothing if the session is not stored.
  package func add(_ nights: [StoredNight], of session: SessionID) throws(HistoryError) {
    try connection.write { db in
      guard let number = try SessionRecord.number(db, of: session) else { return }
      try NightSearch.store(db, nights, session: number)
    }
  }
}

extension HistoryReader {
  /// The newest nights of `profile` that match `filter`, newest first. The times of the filter apply to the start of a night, its
  /// other properties to the session (``sessions(of:matching:limit:)``).
  package func nights(
    of profile: String, matching filter: HistoryFilter = HistoryFilter(), limit: Int = .max
  ) throws(HistoryError) -> [StoredNight] {
    try read { db in
      let condition = filter.breathingCondition(profile)
      return try StoredNightRecord.all(
        db, where: condition.sql + " ORDER BY b.time_us DESC, b.id DESC LIMIT :limit",
        condition.arguments(with: ["limit": limit]))
    }
  }

  /// The nights of `profile` that count, in `days` (since 1970-01-01), by day.
  package func countedNights(of profile: String, in days: Range<Int>) throws(HistoryError) -> [StoredNight] {
    try read { db in
      try StoredNightRecord.all(
        db, where: "p.name = :profile AND b.day >= :from AND b.day < :until AND counts ORDER BY b.day",
        ["profile": profile, "from": days.lowerBound, "until": days.upperBound])
    }
  }

  /// The nights of a session; empty for other sessions.
  package func nights(in session: SessionID) throws(HistoryError) -> [StoredNight] {
    try read { db in
      try StoredNightRecord.all(db, where: "s.id = :session ORDER BY b.part", ["session": session.text])
    }
  }
}

extension HistoryReader {
  /// The highest consumption of the strap's battery in the latest sessions of `profile` of at least an hour, in percent per hour, if
  /// their first and last levels are known.
  package func batteryDrain(of profile: String) throws(HistoryError) -> Double? {
    try read { db in
      let level = { (order: String) in
        """
        (SELECT CAST(payload AS INTEGER) FROM session_event WHERE session = s.number AND kind = \(EventTable.batteryKind)
          ORDER BY sequence \(order) LIMIT 1)
        """
      }
      let statement = try db.statement(
        """
        SELECT max((first - last) / hours) FROM (
          SELECT (\(SessionRecord.end) - s.started_us) / 3.6e9 AS hours, \(level("ASC")) AS first, \(level("DESC")) AS last
          FROM session s WHERE s.profile = \(ProfileTable.number) AND s.source = 'strap'
          ORDER BY s.number DESC LIMIT 5)
        WHERE hours >= 1
        """, ["profile": profile])
      return try Double.fetchOne(statement).map { max(0, $0) }
    }
  }
}

extension MorningSeries {
  /// The counted nights: a series of their own, because HRV and heart rate of sleep differ from those of waking rest.
  package init(_ nights: [StoredNight]) {
    self.init(
      nights.compactMap { night in
        guard night.counts, let rmssd = night.rmssd, let heartRate = night.heartRate else { return nil }
        return Morning(day: night.day, rmssd: rmssd, heartRate: heartRate)
      }, of: .nights)
  }
}
