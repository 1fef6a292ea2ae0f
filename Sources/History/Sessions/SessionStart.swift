internal import GRDB
package import HeartRate

/// An open session that received data and has no measurement yet.
package struct SessionStart: Equatable, Sendable {
  /// Whether its source is the embedded simulated strap.
  package var isSimulated: Bool
  /// The time of its newest data.
  package var time: WallTime
  /// Seconds between the first and the newest data since the strap connected.
  package var collected: Double
  /// Length of the window in seconds.
  package var window: Double
  /// The latest charge of the strap's battery, if known.
  package var battery: BatteryLevel?
}

extension HistoryReader {
  /// The newest session of `profile`, if it is open, connected, and without a measurement.
  package func sessionStart(of profile: String) throws(HistoryError) -> SessionStart? {
    try read { db in
      try SessionStartRecord.fetchOne(db.statement(SessionStartRecord.select, ["profile": profile]))?.start
    }
  }
}

/// All values are NULL if no event matches, because a SELECT of aggregates always has a row.
private struct SessionStartRecord: Decodable, FetchableRecord {
  var source: String?
  var windowTicks: Int64?
  var collectedTicks: Int64?
  var time: Int64?
  var battery: Int64?

  enum CodingKeys: String, CodingKey {
    case source
    case battery
    case windowTicks = "window_ticks"
    case collectedTicks = "collected_ticks"
    case time = "time_us"
  }

  var start: SessionStart? {
    get throws(MalformedRow) {
      guard let source, let windowTicks, let collectedTicks, let time else { return nil }
      return SessionStart(
        isSimulated: try SessionInfo.Source(stored: source) == .simulated,
        time: WallTime(microseconds: time), collected: SessionTime(ticks: collectedTicks).seconds,
        window: SessionTime(ticks: windowTicks).seconds,
        battery: battery.flatMap { BatteryLevel(exactly: $0) })
    }
  }

  static let select = """
    SELECT s.source, s.window_ticks, max(e.ticks) - min(e.ticks) AS collected_ticks, max(e.wall_us) AS time_us,
      \(EventTable.latestBattery(of: "s.number")) AS battery
    FROM (
      SELECT * FROM session WHERE profile = (SELECT number FROM profile WHERE name = :profile)
      ORDER BY id DESC LIMIT 1
    ) s
    JOIN session_event e ON e.session = s.number AND e.kind = \(EventTable.notificationKind)
    WHERE s.outcome IS NULL AND NOT EXISTS (SELECT 1 FROM measurement WHERE session = s.number)
      AND e.sequence > coalesce(
        (SELECT max(sequence) FROM link_change
          WHERE session = s.number AND state IN (\(EventTable.statesWithoutLiveData))), -1)
      AND (SELECT state FROM link_change WHERE session = s.number ORDER BY sequence DESC LIMIT 1)
        NOT IN (\(EventTable.statesWithoutLiveData))
    """
}
