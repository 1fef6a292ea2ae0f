internal import HeartRate
internal import Platform

/// Conflicts about sessions, which the stream decides instead of the consumer.
extension PartitionWorker {
  /// The time before the first message of a stored session in which messages of another sender are sought, in us. In an hour, a receiver
  /// publishes 3600 messages of a live session.
  private static let conflictTime: Int64 = 3_600_000_000
  /// The greatest number of messages that are read because of a conflict.
  private static let conflictLimit = 10_000

  /// Reads the messages of rejected senders from the stream, before their messages are acknowledged.
  func resolve(
    _ conflicts: [SessionConflict], _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws {
    for conflict in conflicts where store.conflicts.begin(conflict, at: SystemClock.boot) {
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
