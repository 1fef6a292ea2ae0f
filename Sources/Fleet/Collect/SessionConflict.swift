internal import HeartRate
internal import History

/// A message was rejected because its session is stored for another sender.
///
/// The consumer may have skipped earlier messages of the rejected sender, to whom the session then belongs: nats-server 2.9 delivers only
/// what the replica of the consumer's leader contains, and replicas can differ after failures of servers.
struct SessionConflict: Hashable {
  var session: SessionID
  /// The sender of the rejected message.
  var receiver: FleetCode
  var participant: FleetCode
  /// The time of the first message of the stored session.
  var claimed: WallTime
}

/// Decides for which conflicts the stream is read again. Times are ns of the boot clock.
///
/// A conflict is read several times, because each reading can be answered by another replica. A hostile receiver can cause any number of
/// conflicts, so the number of readings per receiver is limited. Those of a genuine receiver return with its next message.
struct ConflictSchedule {
  private static let interval: Int64 = 60_000_000_000
  /// The greatest number of readings of messages of one receiver per ``interval``.
  static let rate = 10
  /// The greatest number of readings per conflict.
  static let attempts = 5
  private static let largestCount = 4096

  private var attempts: [SessionConflict: Int] = [:]
  /// The times of the latest readings, by receiver.
  private var latest: [FleetCode: [Int64]] = [:]

  /// Whether to read the stream because of a conflict. Counts as a reading.
  mutating func begin(_ conflict: SessionConflict, at now: Int64) -> Bool {
    var times = latest[conflict.receiver, default: []]
    times.removeAll { now - $0 >= Self.interval }
    guard times.count < Self.rate, attempts[conflict, default: 0] < Self.attempts else { return false }
    if attempts.count >= Self.largestCount { attempts = [:] }
    attempts[conflict, default: 0] += 1
    latest[conflict.receiver] = times + [now]
    return true
  }
}
