internal import History
internal import Platform

/// Decides for which incomplete sessions of a partition a request is sent. Times are ns of the boot clock.
///
/// A receiver cannot answer every request: it may be switched off, or PostgreSQL may reject what it sends. The time between
/// two requests for the same session therefore doubles, up to a day, until an event of it arrives.
struct ResendSchedule {
  private static let interval: Int64 = 30_000_000_000
  private static let longestDelay: Int64 = 86_400_000_000_000
  private static let leaderInterval: Int64 = 3_600_000_000_000

  private struct Attempt {
    var next: Int64
    var backoff = Backoff(shortest: 2 * interval, longest: longestDelay)
    var repeatAt: Int64
  }

  private var attempts: [SessionID: Attempt] = [:]
  private var nextCheck: Int64 = 0
  /// Whether a request had no effect, so that a session was requested again.
  private var hasRepeated = false
  private var nextLeader: Int64 = 0

  /// Whether incomplete sessions should be looked up, every 30 s.
  func isDue(at now: Int64) -> Bool { now >= nextCheck }

  /// Whether another server should lead the consumer of the partition: requests have had no effect, perhaps because the leader's
  /// copy of the stream does not contain what the receivers published again. True at most once an hour.
  mutating func needsOtherLeader(at now: Int64) -> Bool {
    guard hasRepeated, now >= nextLeader else { return false }
    (hasRepeated, nextLeader) = (false, now + Self.leaderInterval)
    return true
  }

  /// The sessions to request, by receiver: at most ``ResendRequest/largestCount`` each, those that were not requested yet
  /// first. Other sessions are forgotten.
  mutating func select(
    _ incomplete: [FleetCode: [ResendRequest.Entry]], at now: Int64
  ) -> [FleetCode: [ResendRequest.Entry]] {
    nextCheck = now + Self.interval
    let previous = attempts
    attempts = [:]
    return incomplete.mapValues { select($0, previous, at: now) }.filter { !$0.value.isEmpty }
  }

  private mutating func select(
    _ incomplete: [ResendRequest.Entry], _ previous: [SessionID: Attempt], at now: Int64
  ) -> [ResendRequest.Entry] {
    for entry in incomplete {
      if let attempt = previous[entry.session], attempt.next == entry.next {
        attempts[entry.session] = attempt
      }
    }
    let new = incomplete.filter { attempts[$0.session] == nil }
    let repeated = incomplete.filter { attempts[$0.session].map { $0.repeatAt <= now } ?? false }
    if !repeated.isEmpty { hasRepeated = true }
    let selected = Array((new + repeated).prefix(ResendRequest.largestCount))
    for entry in selected {
      var attempt = attempts[entry.session] ?? Attempt(next: entry.next, repeatAt: now)
      attempt.repeatAt = attempt.backoff.failed(at: now)
      attempts[entry.session] = attempt
    }
    return selected
  }
}

/// Finds the sessions of a partition whose next events have not arrived for ``delay``.
enum IncompleteSessions {
  /// In seconds. An interruption of the log or of a receiver that is shorter needs no request.
  private static let delay = 30
  /// In days. A receiver that is disconnected for a longer time still publishes what it has not published.
  private static let longestAge = 30
  /// Sessions per receiver. A receiver with many incomplete sessions does not delay the requests to others.
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
