internal import HeartRate
internal import History
internal import Platform

/// A message was rejected because its session is stored for another sender.
///
/// The consumer may have skipped earlier messages of the rejected sender, to whom the session then belongs: nats-server 2.9
/// delivers only what the replica of the consumer's leader contains, and replicas can differ after failures of servers.
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
/// A conflict is read several times, because each reading can be answered by another replica. A hostile receiver can cause
/// any number of conflicts, so the number of readings per receiver is limited. A conflict of a genuine receiver occurs again
/// with its next message.
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

/// Conflicts about sessions, which the stream decides instead of the consumer.
extension PartitionWorker {
  /// The time before the first message of a stored session in which messages of another sender are sought, in us. In an hour,
  /// a receiver publishes 3600 messages of a live session.
  private static let conflictTime: Int64 = 3_600_000_000
  /// The greatest number of messages that are read because of a conflict.
  private static let conflictLimit = 10_000

  /// Reads the messages of rejected senders from the stream, before their messages are acknowledged.
  func resolve(
    _ conflicts: [SessionConflict], _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws {
    for conflict in conflicts where store.conflicts.begin(conflict, at: SystemClock.boot) {
      status.begin(.stream, of: lease.partition)
      try resolve(conflict, &store, connection)
    }
  }

  /// Stores the messages of a session again if the stream contains one of its sender before the stored session.
  private func resolve(
    _ conflict: SessionConflict, _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws {
    let subject = FleetSubject(
      study: stream.server.study, receiver: conflict.receiver, participant: conflict.participant, strap: nil)
    let begin = conflict.claimed.microseconds - Self.conflictTime
    var isEarlier: Bool?
    try stream.read(
      stream.server.stream, matching: subject.filter(partition: lease.partition), since: max(0, begin) * 1000,
      limit: Self.conflictLimit
    ) { messages in
      let own = messages.filter {
        $0.header(FleetMessage.HeaderName.id)?.hasPrefix("\(conflict.session)/") ?? false
      }
      if isEarlier == nil, let first = own.first {
        isEarlier = first.published / 1000 <= conflict.claimed.microseconds
      }
      guard isEarlier ?? true else { return false }
      // Renews the lease also without messages of the session.
      guard !own.isEmpty else {
        try store.renew(connection)
        return true
      }
      for part in Self.parts(of: own) { _ = try self.store(part, &store, connection) }
      return true
    }
  }
}
