internal import Dispatch
internal import Glibc
internal import Platform

/// Collects the messages of one partition on its own thread, until it is stopped or loses its lease.
final class PartitionWorker: Sendable {
  let lease: PartitionLease
  private let stream: JetStream
  private let database: PostgreSQLURL
  private let status: SharedStatus
  private let isStopping = Locked(false)
  private let ended = Locked(false)
  private let done = DispatchSemaphore(value: 0)

  private static let batchSize = 1000
  /// In bytes; about 2000 events of batches.
  private static let transactionSize = 256 * 1024
  private static let wait = Duration.milliseconds(200)
  /// Time after which messages of a collector that was killed are delivered to another one.
  static let limits = JetStream.ConsumerLimits(acknowledgement: .seconds(8), unacknowledged: 4096)
  /// Time until a message of a later format is delivered again.
  private static let newerFormatDelay = Duration.seconds(30)
  private static let longestDelay: useconds_t = 2_000_000

  init(_ lease: PartitionLease, _ stream: JetStream, _ database: PostgreSQLURL, _ status: SharedStatus) {
    (self.lease, self.stream, self.database, self.status) = (lease, stream, database, status)
  }

  var hasEnded: Bool { ended.withLock(\.self) }

  func start() {
    status.set(lag: 0, of: lease.partition)
    DispatchQueue(label: "stressmon.partition.\(lease.partition)").async { [self] in
      run()
      status.set(lag: nil, of: lease.partition)
      status.set(error: nil, of: lease.partition)
      ended.withLock { $0 = true }
      done.signal()
    }
  }

  /// Requests the end after the current batch.
  func stop() { isStopping.withLock { $0 = true } }

  /// Waits for the end.
  func join() { done.wait() }

  private func run() {
    var delay: useconds_t = 50_000
    var state = Connected()
    while !isStopping.withLock(\.self) {
      do {
        try step(&state)
        status.set(error: nil, of: lease.partition)
        delay = 50_000
      } catch {
        if (error as? PostgreSQLError)?.state == PartitionLease.lostState { return }
        status.set(error: "partition \(lease.partition): \(error)", of: lease.partition)
        state.recover(from: error)
        usleep(delay)
        delay = min(delay * 2, Self.longestDelay)
      }
    }
    if let connection = state.connection { try? lease.release(connection) }
  }

  /// The connections, and what was read but not stored yet.
  private struct Connected {
    var connection: PostgreSQLConnection?
    var store: PartitionStore?
    var subscription: PullSubscription?
    var steps = 0

    mutating func recover(from error: any Error) {
      if let error = error as? PostgreSQLError, error.reaction == .reconnect { connection = nil }
      if error is FleetError { subscription = nil }
    }
  }

  private func step(_ state: inout Connected) throws {
    let connection = try state.connection ?? FleetDatabase.connect(database)
    state.connection = connection
    let subscription =
      try state.subscription
      ?? stream.subscribe(
        stream: stream.server.stream, consumer: "collect-\(lease.partition)",
        filter: FleetSubject.partition(lease.partition, of: stream.server.study), limits: Self.limits)
    state.subscription = subscription
    var store = state.store ?? PartitionStore(lease)
    state.store = nil
    defer { state.store = store }
    let received = try subscription.fetch(Self.batchSize, wait: Self.wait)
    state.steps += 1
    // Without messages, five steps take a second.
    if state.steps % 5 == 0 { status.set(lag: try subscription.state().pending, of: lease.partition) }
    guard !received.isEmpty else {
      if state.steps % 5 == 0 { try store.renew(connection) }
      return
    }
    var rest = received[...]
    while !rest.isEmpty {
      let part = Self.part(of: rest)
      rest = rest.dropFirst(part.count)
      do {
        try collect(part, &store, connection)
      } catch {
        // Delivered again soon, instead of after the time for the acknowledgement.
        for message in rest { message.reject(after: .seconds(1)) }
        throw error
      }
      for message in rest { message.extend() }
    }
  }

  /// The first messages with at most ``transactionSize`` bytes, at least one.
  ///
  /// PostgreSQL ends the transaction of a collector that sends no statement for 4 s, so the engine must process fewer events than that
  /// takes between two statements.
  private static func part(of messages: ArraySlice<ReceivedMessage>) -> [ReceivedMessage] {
    var bytes = 0
    let count = messages.prefix { message in
      bytes += message.size
      return bytes <= transactionSize
    }.count
    return Array(messages.prefix(max(1, count)))
  }

  private func collect(
    _ received: [ReceivedMessage], _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws {
    do throws(PostgreSQLError) {
      try storeAndAcknowledge(received, &store, connection)
    } catch {
      guard error.reaction == .invalidData else {
        // Delivered again soon, instead of after the time for the acknowledgement.
        for message in received { message.reject(after: .seconds(1)) }
        throw error
      }
      for message in received { try storeAlone(message, error, &store, connection) }
    }
  }

  private func storeAndAcknowledge(
    _ received: [ReceivedMessage], _ store: inout PartitionStore, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    let messages = received.map { CollectedMessage($0) }
    let batch = CollectedBatch(messages, study: stream.server.study)
    let outcome = try store.store(batch, messages, connection)
    let newer = Set(batch.newer.map(\.message))
    for (index, message) in received.enumerated() {
      if newer.contains(index) { message.reject(after: Self.newerFormatDelay) } else { message.acknowledge() }
    }
    count(received, batch, outcome)
  }

  /// Stores a message of a batch that the database refused; a message that it refuses alone goes to `rejected`.
  private func storeAlone(
    _ message: ReceivedMessage, _ cause: PostgreSQLError, _ store: inout PartitionStore,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    do throws(PostgreSQLError) {
      try storeAndAcknowledge([message], &store, connection)
    } catch {
      guard error.reaction == .invalidData else { throw error }
      let reason = "the database refused it: \(error)"
      try store.reject(CollectedMessage(message), reason, connection)
      message.acknowledge()
      status.update { $0.rejected += 1 }
    }
  }

  private func count(
    _ received: [ReceivedMessage], _ batch: CollectedBatch, _ outcome: PartitionStore.Outcome
  ) {
    status.update { status in
      status.batches += 1
      status.messages += received.count
      status.redeliveries += received.count { $0.deliveries > 1 }
      status.rejected += outcome.rejected
      status.erased += outcome.erased
      status.newerFormat += batch.newer.count
      status.events += outcome.events
      status.rows += outcome.rows
    }
    if let reason = batch.newer.first?.reason {
      // The message is delivered again before the error ends.
      let duration = 2 * Int64(Self.newerFormatDelay / .nanoseconds(1))
      let source = FleetSubject.partitions + lease.partition
      status.set(error: "partition \(lease.partition): \(reason)", of: source, for: duration)
    }
  }
}

extension CollectedMessage {
  init(_ message: ReceivedMessage) {
    var headers: [String: String] = [:]
    for name in Self.headerNames { headers[name] = message.header(name) }
    self.init(
      subject: message.subject, headers: headers, body: message.body,
      streamSequence: Int64(clamping: message.sequence))
  }
}
