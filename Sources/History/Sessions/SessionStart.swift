internal import GRDB
package import HeartRate

/// An open session that has received data, but has no measurement yet.
package struct SessionStart: Equatable, Sendable {
  /// Whether it is of the embedded simulated strap.
  package var isSimulated: Bool
  /// When its newest data arrived.
  package var time: WallTime
  /// Seconds between the first and the newest data since the strap connected.
  package var collected: Double
  /// Length of the window in seconds.
  package var window: Double
}

extension HistoryReader {
  /// The newest session of `profile`, if it is open, connected, and without a measurement.
  package func sessionStart(of profile: String) throws(HistoryError) -> SessionStart? {
    try read { db in
      try Query(
        db,
        """
        SELECT s.source, s.window_ticks, max(e.ticks) - min(e.ticks), max(e.wall_us)
        FROM (
          SELECT * FROM session WHERE profile = (SELECT number FROM profile WHERE name = ?)
          ORDER BY id DESC LIMIT 1
        ) s
        JOIN session_event e ON e.session = s.number AND e.kind = \(EventRow.notificationKind)
        WHERE s.outcome IS NULL AND NOT EXISTS (SELECT 1 FROM measurement WHERE session = s.number)
          AND e.sequence > coalesce(
            (SELECT max(sequence) FROM link_change
              WHERE session = s.number AND state IN (\(statesWithoutLiveData))), -1)
          AND (SELECT state FROM link_change WHERE session = s.number ORDER BY sequence DESC LIMIT 1)
            NOT IN (\(statesWithoutLiveData))
        """
      ).first(.text(profile)) { row in
        guard !row.isNull(0), !row.isNull(3) else { return nil }
        return SessionStart(
          isSimulated: try row.named(0, as: SessionInfo.Source.self) == .simulated,
          time: WallTime(microseconds: row.integer(3)),
          collected: SessionTime(ticks: row.integer(2)).seconds,
          window: SessionTime(ticks: row.integer(1)).seconds)
      } ?? nil
    }
  }
}
