internal import HeartRate
internal import History

/// Finds the sessions of a partition whose next events have not arrived for ``delay``.
enum IncompleteSessions {
  /// In seconds. An interruption of the log or of a receiver that is shorter needs no request.
  private static let delay = 30
  /// In days. A receiver that is disconnected for a longer time still publishes what it has not published.
  private static let longestAge = 30
  private static let limit = 2000

  /// A session is incomplete while an event is missing between stored ones or before its end, and while its end is missing.
  /// - Returns: The latest sessions first, each with the number of its first missing event.
  static func sessions(
    of lease: PartitionLease, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [ResendRequest.Entry] {
    let rows = try connection.run(
      """
      SELECT id, next FROM session WHERE study = $1 AND coalesce(partition, 0) = $2
        AND (outcome IS NULL OR next < highest OR next < total)
        AND updated < now() - interval '\(delay) s' AND updated > now() - interval '\(longestAge) days'
      ORDER BY updated DESC LIMIT \(limit)
      """, [.integer(lease.study), .integer(Int64(lease.partition))])
    return (0..<rows.count).compactMap { row in
      SessionID(rows.text(row, 0)).map { ResendRequest.Entry(session: $0, next: rows.integer(row, 1)) }
    }
  }
}
