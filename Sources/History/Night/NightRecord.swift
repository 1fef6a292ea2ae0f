internal import GRDB
package import HeartRate
internal import Stress

/// A row of the table `night`.
struct NightRecord: DailyReadingRecord {
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

  static func isValid(_ table: String) -> String {
    "\(table).refusal IS NULL AND \(table).rmssd_ms > 0 AND \(table).hr_bpm > 0"
  }

  static func rank(_ table: String) -> String { "(-\(table).duration_s, \(table).time_us, \(table).id)" }
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
    try readings(NightRecord.self, of: profile, matching: filter, limit: limit)
  }

  /// The nights of `profile` that count, in `days` (since 1970-01-01), by day.
  package func countedNights(of profile: String, in days: Range<Int>) throws(HistoryError) -> [StoredNight] {
    try countedReadings(NightRecord.self, of: profile, in: days)
  }

  /// The nights of a session; empty for other sessions.
  package func nights(in session: SessionID) throws(HistoryError) -> [StoredNight] {
    try readings(NightRecord.self, in: session)
  }
}

extension HistoryReader {
  /// The highest consumption of the strap's battery in the latest sessions of `profile` of at least an hour, in percent per hour, if
  /// their first and last levels are known.
  package func batteryDrain(of profile: String) throws(HistoryError) -> Double? {
    try read { db in
      let statement = try db.statement(
        """
        SELECT max((first - last) / hours) FROM (
          SELECT (\(SessionRecord.end) - s.started_us) / 3.6e9 AS hours, \(Self.batteryLevel("ASC")) AS first,
            \(Self.batteryLevel("DESC")) AS last
          FROM session s WHERE s.profile = \(ProfileTable.number) AND s.source = 'strap'
          ORDER BY s.number DESC LIMIT 5)
        WHERE hours >= 1
        """, ["profile": profile])
      return try Double.fetchOne(statement).map { max(0, $0) }
    }
  }

  /// The last charge of the strap's battery that one of the five latest sessions of `profile` contains, in percent, with the end of that
  /// session.
  package func lastBatteryLevel(of profile: String) throws(HistoryError) -> (percent: Int64, time: WallTime)?
  {
    try read { db in
      let statement = try RawStatement(
        db,
        """
        SELECT percent, ended FROM (
          SELECT \(Self.batteryLevel("DESC")) AS percent, \(SessionRecord.end) AS ended
          FROM session s WHERE s.profile = \(ProfileTable.number) AND s.source = 'strap'
          ORDER BY s.number DESC LIMIT 5)
        WHERE percent IS NOT NULL LIMIT 1
        """, ["profile": profile])
      return try statement.all {
        ($0.integer(BatteryColumn.percent), WallTime(microseconds: $0.integer(BatteryColumn.ended)))
      }.first
    }
  }

  private enum BatteryColumn: CInt { case percent, ended }

  /// The first or the last level of the session `s`.
  private static func batteryLevel(_ order: String) -> String {
    """
    (SELECT CAST(payload AS INTEGER) FROM session_event WHERE session = s.number AND kind = \(EventTable.batteryKind)
      ORDER BY sequence \(order) LIMIT 1)
    """
  }
}

extension MorningSeries {
  /// The counted nights. Mornings form a separate series, because HRV and heart rate of sleep differ from those of waking rest.
  package init(_ nights: [StoredNight]) {
    self.init(
      nights.compactMap { night in
        guard night.counts, let rmssd = night.rmssd, let heartRate = night.heartRate else { return nil }
        return Morning(day: night.day, rmssd: rmssd, heartRate: heartRate)
      }, of: .nights)
  }
}
