internal import GRDB
package import HeartRate

/// The latest measurement of a profile whose stress value, if it has one, is usable, and the state of its session.
package struct PresentState: Equatable, Sendable {
  package var measurement: StoredMeasurement
  /// Whether it is of the embedded simulated strap.
  package var isSimulated: Bool
  /// Absent while its session goes on, and after its program was killed until the next one writes.
  package var outcome: StoredSession.Outcome?
  /// The last that its session heard of the link; absent for a session without one, such as an imported file.
  package var link: LinkChange.State?
  /// When the link last was in a state without live data; absent when it never was. A measurement from before this time is
  /// stale, also after the strap is connected again.
  package var interrupted: SessionTime?

  /// Whether the measurement came from a link that is connected and has not been interrupted since.
  package var isLinkLive: Bool {
    (link?.hasLiveData ?? true) && interrupted.map { measurement.at > $0 } ?? true
  }
}

extension HistoryReader {
  /// The latest measurement of `profile` before `end` without an unusable stress value, and the state of its session. If all
  /// are later than `end`, because a clock was wrong, the latest of those; nil if there is none.
  package func present(of profile: String, before end: WallTime) throws(HistoryError) -> PresentState? {
    try read { db in
      var filter = HistoryFilter()
      filter.omitsUnusable = true
      var past = filter
      past.times = HistoryFilter.always.lowerBound..<end
      let latest =
        try MeasurementRow.latest(db, profile: profile, past, limit: 1).first
        ?? MeasurementRow.latest(db, profile: profile, filter, limit: 1).first
      guard let latest else { return nil }
      return try Query(
        db,
        """
        SELECT source, outcome,
          (SELECT state FROM link_change WHERE session = number ORDER BY sequence DESC LIMIT 1),
          (SELECT max(ticks) FROM link_change JOIN session_event USING (session, sequence)
            WHERE session = number AND state IN (\(statesWithoutLiveData)))
        FROM session WHERE id = ?
        """
      ).first(.text(latest.session.text)) { row in
        PresentState(
          measurement: latest, isSimulated: try row.named(0, as: SessionInfo.Source.self) == .simulated,
          outcome: row.isNull(1) ? nil : try row.named(1, as: StoredSession.Outcome.self),
          link: row.isNull(2) ? nil : try row.named(2, as: LinkChange.State.self),
          interrupted: row.isNull(3) ? nil : SessionTime(ticks: row.integer(3)))
      }
    }
  }

  /// As a list for SQL.
  var statesWithoutLiveData: String {
    LinkChange.State.allCases.filter { !$0.hasLiveData }.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }

  /// A number that changes whenever another program has written, for as long as the file is the same.
  package func revision() throws(HistoryError) -> Int64 {
    try read { try Query($0, "PRAGMA data_version").first { $0.integer(0) } ?? 0 }
  }
}
