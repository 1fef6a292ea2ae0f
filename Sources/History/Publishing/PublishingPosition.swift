internal import GRDB
package import HeartRate

/// How much of a session a target has acknowledged.
package struct PublishingPosition: Equatable, Sendable {
  package var session: SessionID
  /// Whether the header of the session was acknowledged.
  package var hasBegun: Bool
  /// The events before this sequence number were acknowledged.
  package var next: Int64
  /// Whether the end of the session was acknowledged.
  package var isComplete: Bool

  package init(session: SessionID, hasBegun: Bool = false, next: Int64 = 0, isComplete: Bool = false) {
    (self.session, self.hasBegun, self.next, self.isComplete) = (session, hasBegun, next, isComplete)
  }
}

/// The sessions of a profile that are published.
package struct PublishedProfile: Equatable, Sendable {
  package var name: String
  /// Excludes sessions that started earlier. By default, all sessions are published.
  package var since: WallTime?

  package init(name: String, since: WallTime? = nil) { (self.name, self.since) = (name, since) }
}

/// A session with something to publish.
package struct UnpublishedSession: Equatable, Sendable {
  package var position: PublishingPosition
  package var profile: String
  /// The address of the strap of the session, or of the first one to which its link connected.
  package var strap: String?
  /// The sequence number after that of the last stored event; 0 without events.
  package var stored: Int64
  package var hasEnded: Bool

  package init(
    position: PublishingPosition, profile: String, strap: String?, stored: Int64, hasEnded: Bool
  ) {
    (self.position, self.profile, self.strap) = (position, profile, strap)
    (self.stored, self.hasEnded) = (stored, hasEnded)
  }

  /// The number of events that the target has not acknowledged.
  package var events: Int64 { max(0, stored - position.next) }

  /// The strap does not change after the first one connected. A session that finds no strap is deleted when it ends.
  fileprivate var isReady: Bool { strap != nil || hasEnded }
  fileprivate var hasWork: Bool { isReady && (!position.hasBegun || events > 0 || hasEnded) }
}

/// What a target has not acknowledged.
package struct Unpublished: Equatable, Sendable {
  /// Live sessions first, then by time of start; not more than the limit of the query.
  package var sessions: [UnpublishedSession] = []
  /// The number of events of all sessions.
  package var events: Int64 = 0

  package init() {}
}

extension HistoryReader {
  /// The sessions of `profiles` that `target` has not acknowledged completely.
  package func unpublished(
    to target: String, of profiles: [PublishedProfile], limit: Int
  ) throws(HistoryError) -> Unpublished {
    try read { db in
      var sessions: [UnpublishedSession] = []
      var events: Int64 = 0
      for profile in profiles {
        for session in try PublishingTable.unfinished(db, target, profile) where session.hasWork {
          sessions.append(session)
          events += session.events
        }
      }
      sessions.sort { a, b in
        a.hasEnded == b.hasEnded ? a.position.session.text < b.position.session.text : b.hasEnded
      }
      var result = Unpublished()
      result.sessions = Array(sessions.prefix(limit))
      result.events = events
      return result
    }
  }

  /// Up to `limit` events of a session from the sequence number `first` on, with their sequence numbers.
  package func events(
    of session: SessionID, from first: Int64, limit: Int
  ) throws(HistoryError) -> [(sequence: Int64, event: SessionEvent)] {
    try read { try EventTable.page($0, session: session, from: first, limit: limit) }
  }
}

extension HistoryWriter {
  /// Advances positions in one transaction. A position never decreases; sessions that were deleted are ignored.
  package func advance(_ positions: [PublishingPosition], of target: String) throws(HistoryError) {
    try connection.write { db in
      for position in positions { try PublishingTable.store(db, position, target) }
    }
  }
}

extension HistoryWriter {
  /// Returns to an event that `target` has acknowledged, and to the header before it.
  /// - Returns: False if the target has not acknowledged more than the events before `next`.
  package func rewind(
    _ session: SessionID, to next: Int64, of target: String
  ) throws(HistoryError) -> Bool {
    try connection.write { db in
      try db.run(
        """
        UPDATE publish_position SET has_begun = 0, next_sequence = :next, is_complete = 0
        WHERE target = :target AND session = (SELECT number FROM session WHERE id = :session)
          AND (next_sequence > :next OR is_complete = 1)
        """, ["target": target, "session": session.text, "next": next])
      return db.changesCount > 0
    }
  }
}

/// The table `publish_position`.
private enum PublishingTable {
  private enum Column: CInt { case session, strap, hasBegun, next, stored, hasEnded }

  private static let select = """
    SELECT s.id,
      coalesce(s.strap_address, (SELECT strap_address FROM link_change
        WHERE session = s.number AND strap_address IS NOT NULL ORDER BY sequence LIMIT 1)),
      coalesce(q.has_begun, 0), coalesce(q.next_sequence, 0),
      coalesce((SELECT max(sequence) + 1 FROM session_event WHERE session = s.number), 0),
      s.outcome IS NOT NULL
    FROM session s LEFT JOIN publish_position q ON q.session = s.number AND q.target = :target
    WHERE s.profile = \(ProfileTable.number) AND s.started_us >= :since AND coalesce(q.is_complete, 0) = 0
    """

  /// The sessions of a profile whose end was not acknowledged.
  static func unfinished(
    _ db: Database, _ target: String, _ profile: PublishedProfile
  ) throws -> [UnpublishedSession] {
    let arguments: NamedArguments = [
      "target": target, "profile": profile.name, "since": profile.since?.microseconds ?? .min,
    ]
    return try RawStatement(db, select, arguments).all { row in
      UnpublishedSession(
        position: PublishingPosition(
          session: SessionID(stored: row.text(Column.session)), hasBegun: row.integer(Column.hasBegun) != 0,
          next: row.integer(Column.next)),
        profile: profile.name, strap: row.textOrNil(Column.strap), stored: row.integer(Column.stored),
        hasEnded: row.integer(Column.hasEnded) != 0)
    }
  }

  static func store(_ db: Database, _ position: PublishingPosition, _ target: String) throws {
    try db.run(
      """
      INSERT INTO publish_position (target, session, has_begun, next_sequence, is_complete)
      SELECT :target, number, :begun, :next, :complete FROM session WHERE id = :session
      ON CONFLICT (target, session) DO UPDATE SET
        has_begun = max(has_begun, excluded.has_begun),
        next_sequence = max(next_sequence, excluded.next_sequence),
        is_complete = max(is_complete, excluded.is_complete)
      """,
      [
        "target": target, "session": position.session.text, "begun": position.hasBegun ? 1 : 0,
        "next": position.next, "complete": position.isComplete ? 1 : 0,
      ])
  }
}
