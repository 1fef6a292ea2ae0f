internal import History

/// Finds the sessions of a partition whose next events have not arrived for ``delay``.
enum IncompleteSessions {
  /// In seconds. An interruption of the log or of a receiver that is shorter needs no request.
  private static let delay = 30
  /// In days. A receiver that is disconnected for a longer time still publishes what it has not published.
  private static let longestAge = 30
  /// Sessions per receiver, so that one with many incomplete sessions does not delay the requests to others.
  private static let limit = 2000

  /// A session is incomplete while an event is missing between stored ones or before its end, and while its end is missing.
  /// - Returns: By receiver, the latest sessions first, each with the number of its first missing event.
  static func sessions(
    of lease: PartitionLease, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [FleetCode: [ResendRequest.Entry]] {
    let rows = try connection.run(
      """
      SELECT r.code, s.id, s.next
      FROM (SELECT id, next, receiver, row_number() OVER (PARTITION BY receiver ORDER BY updated DESC) AS rank
        FROM session WHERE study = $1 AND coalesce(partition, 0) = $2
          AND (outcome IS NULL OR next < highest OR next < total)
          AND updated < now() - interval '\(delay) s' AND updated > now() - interval '\(longestAge) days') s
        JOIN receiver r ON r.number = s.receiver
      WHERE s.rank <= \(limit) ORDER BY s.rank
      """, [.integer(lease.study), .integer(Int64(lease.partition))])
    var sessions: [FleetCode: [ResendRequest.Entry]] = [:]
    for row in 0..<rows.count {
      guard let receiver = FleetCode(rows.text(row, 0)), let session = SessionID(rows.text(row, 1)) else {
        continue
      }
      sessions[receiver, default: []].append(.init(session: session, next: rows.integer(row, 2)))
    }
    return sessions
  }
}
