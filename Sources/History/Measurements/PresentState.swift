internal import GRDB
package import HeartRate

/// The latest measurement of a profile whose stress value, if it has one, is usable, and the state of its session.
package struct PresentState: Equatable, Sendable {
  package var measurement: StoredMeasurement
  /// Whether its source is the embedded simulated strap.
  package var isSimulated: Bool
  /// Absent while its session continues. After its program was killed, also absent until the next session of the profile
  /// starts.
  package var outcome: StoredSession.Outcome?
  /// The latest state of the link. Sessions without link events, such as imported files, have none.
  package var link: LinkChange.State?
  /// The latest time, if any, at which the link was in a state without live data. A measurement before this time is stale,
  /// also after the strap is connected again.
  package var interrupted: SessionTime?
  /// The latest charge of the strap's battery, if it is known and the session continues.
  package var battery: BatteryLevel?

  /// Whether the measurement came from a link that is connected and has not been interrupted since.
  package var isLinkLive: Bool {
    (link?.hasLiveData ?? true) && interrupted.map { measurement.at > $0 } ?? true
  }
}

extension HistoryReader {
  /// The latest measurement of `profile` before `end` without an unusable stress value, and the state of its session. If all
  /// are later than `end`, because a clock was wrong, the latest of those.
  package func present(of profile: String, before end: WallTime) throws(HistoryError) -> PresentState? {
    try read { db in
      var filter = HistoryFilter()
      filter.omitsUnusable = true
      var past = filter
      past.times = HistoryFilter.always.lowerBound..<end
      let latest =
        try MeasurementTable.latest(db, profile: profile, past, limit: 1).first
        ?? MeasurementTable.latest(db, profile: profile, filter, limit: 1).first
      guard let latest else { return nil }
      let state = try db.statement(SessionStateRecord.select, ["session": latest.session.text])
      return try SessionStateRecord.fetchOne(state)?.present(latest)
    }
  }
}

/// The state of a session.
private struct SessionStateRecord: Decodable, FetchableRecord {
  var source: String
  var outcome: String?
  var link: String?
  var interrupted: Int64?
  var battery: Int64?

  static let select = """
    SELECT source, outcome,
      (SELECT state FROM link_change WHERE session = number ORDER BY sequence DESC LIMIT 1) AS link,
      (SELECT max(ticks) FROM link_change JOIN session_event USING (session, sequence)
        WHERE session = number AND state IN (\(EventTable.statesWithoutLiveData))) AS interrupted,
      CASE WHEN outcome IS NULL THEN \(EventTable.latestBattery(of: "number")) END AS battery
    FROM session WHERE id = :session
    """

  func present(_ measurement: StoredMeasurement) throws(MalformedRow) -> PresentState {
    PresentState(
      measurement: measurement, isSimulated: try SessionInfo.Source(stored: source) == .simulated,
      outcome: try outcome.map(StoredSession.Outcome.init(stored:)),
      link: try link.map(LinkChange.State.init(stored:)),
      interrupted: interrupted.map { SessionTime(ticks: $0) },
      battery: battery.flatMap { BatteryLevel(exactly: $0) })
  }
}
