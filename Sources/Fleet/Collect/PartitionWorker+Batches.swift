internal import HeartRate
internal import Localization
internal import Platform

/// Transactions and acknowledgements.
extension PartitionWorker {
  /// Maximum size of the messages of one transaction, in bytes: about 2000 events in batches.
  private static let transactionSize = 256 * 1024

  /// Stores messages in transactions of limited size, and acknowledges those of each transaction after its commit.
  func collectAll(
    _ received: [ReceivedMessage], _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws {
    var rest = received[...]
    for part in Self.parts(of: received) {
      rest = rest.dropFirst(part.count)
      do {
        try collect(part, &store, connection)
      } catch {
        // Delivered again soon, instead of after the time for the acknowledgement.
        for message in rest { message.requestRedelivery(after: .seconds(1)) }
        throw error
      }
      for message in rest { message.extend() }
    }
  }

  /// Divides messages into parts with at most ``transactionSize`` bytes, or with one message.
  ///
  /// PostgreSQL ends a transaction that is idle for 4 s (`idle_in_transaction_session_timeout`), so the size limits the
  /// events that the engine processes between two statements.
  static func parts(of messages: [ReceivedMessage]) -> [[ReceivedMessage]] {
    var parts: [[ReceivedMessage]] = []
    var bytes = Int.max / 2
    for message in messages {
      if bytes + message.size > transactionSize {
        parts.append([])
        bytes = 0
      }
      parts[parts.count - 1].append(message)
      bytes += message.size
    }
    return parts
  }

  private func collect(
    _ received: [ReceivedMessage], _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws {
    do {
      try storeAndAcknowledge(received, &store, connection)
    } catch let error as PostgreSQLError where error.reaction == .invalidData {
      for message in received { try storeAlone(message, &store, connection) }
    } catch {
      // Delivered again soon, instead of after the time for the acknowledgement.
      for message in received { message.requestRedelivery(after: .seconds(1)) }
      throw error
    }
  }

  private func storeAndAcknowledge(
    _ received: [ReceivedMessage], _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws {
    let conflicts = try self.store(received, &store, connection)
    try resolve(conflicts, &store, connection)
    for message in received { message.acknowledge() }
  }

  /// Stores messages in one transaction.
  /// - Returns: The conflicts about sessions of rejected messages.
  func store(
    _ received: [ReceivedMessage], _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws -> [SessionConflict] {
    let messages = received.map { CollectedMessage($0) }
    try opener.refresh()
    let batch = CollectedBatch(messages, study: stream.server.study, opener: opener)
    status.begin(.transaction, of: lease.partition)
    let outcome = try store.store(batch, messages, connection)
    try erase(outcome.erased)
    status.received(
      Set(batch.sessions.map(\.participant.text)),
      ended: Set(batch.sessions.filter { $0.end != nil }.map(\.participant.text))
        .union(outcome.erased.map(\.text)), in: lease.partition)
    let deferred = batch.deferred(without: outcome.erased, messages)
    count(received, deferred.count, outcome)
    if let first = deferred.min(by: { $0.format < $1.format }) {
      reportDeferred(first, FleetSubject(messages[first.message].subject)?.receiver)
    }
    return outcome.conflicts
  }

  /// Stores a message of a batch that the database refused; a message that it refuses alone goes to `rejected`.
  private func storeAlone(
    _ message: ReceivedMessage, _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws {
    do {
      try storeAndAcknowledge([message], &store, connection)
    } catch let error as PostgreSQLError where error.reaction == .invalidData {
      try store.reject(CollectedMessage(message), "the database refused it: \(error)", connection)
      message.acknowledge()
      status.update { $0.rejected += 1 }
    }
  }

  private func count(
    _ received: [ReceivedMessage], _ deferred: Int, _ outcome: PartitionStore.Outcome
  ) {
    status.update { status in
      status.batches += 1
      status.messages += received.count
      status.redeliveries += received.count { $0.deliveries > 1 }
      status.rejected += outcome.rejected
      status.erased += outcome.erasedSessions
      status.newerFormat += deferred
      status.events += outcome.events
      status.rows += outcome.rows
    }
  }

  /// Removes messages of erased participants, which a receiver sent after `collect forget`, from the stream.
  private func erase(_ participants: Set<FleetCode>) throws(FleetError) {
    for participant in participants {
      try stream.purge(
        stream.server.stream,
        matching: FleetSubject.filter(participant: participant, study: stream.server.study))
    }
  }

  private func reportDeferred(_ deferral: CollectedBatch.Deferral, _ receiver: FleetCode?) {
    guard let participant = deferral.missingKey else { return reportDeferred(deferral.format, receiver) }
    let reason = Phrase(
      """
      they wait in the stream, because \(opener.path) does not contain the key of the participant \(participant); copy the file from \
      the machine of stressmon collect admit, and restart the collectors
      """)
    reportWaiting(reason, receiver)
  }

  /// Reports messages that stay in the stream until an update.
  /// - Parameter receiver: A receiver that sent one of them, if known.
  func reportDeferred(_ format: Int, _ receiver: FleetCode? = nil) {
    let reason = Phrase(
      """
      they have the format \(format) and wait in the stream, and this version reads formats up to \(FleetMessage.format); update \
      stressmon
      """)
    reportWaiting(reason, receiver)
  }

  private func reportWaiting(_ reason: Phrase, _ receiver: FleetCode?) {
    let partition = lease.partition
    let error =
      receiver.map { Phrase("partition \(partition), messages of the receiver \($0): \(reason)") }
      ?? Phrase("partition \(partition), messages: \(reason)")
    status.set(error: error, of: .newerFormat(partition))
  }
}

extension CollectedMessage {
  init(_ message: ReceivedMessage) {
    var headers: [String: String] = [:]
    for name in Self.headerNames { headers[name] = message.header(name) }
    self.init(
      subject: message.subject, headers: headers, body: message.body,
      streamSequence: Int64(clamping: message.sequence),
      published: message.published > 0 ? WallTime(microseconds: message.published / 1000) : SystemClock.wall)
  }
}
