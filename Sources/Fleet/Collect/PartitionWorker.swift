internal import Dispatch
internal import Glibc
internal import HeartRate
internal import Localization
internal import Platform

/// Collects the messages of one partition on its own thread, until it is stopped or loses its lease.
final class PartitionWorker: Sendable {
  let lease: PartitionLease
  let stream: JetStream
  private let database: PostgreSQLURL
  let opener: MessageOpener
  let status: SharedStatus
  private let isStopping = Locked(false)
  private let ended = Locked(false)
  private let done = DispatchSemaphore(value: 0)

  private static let batchSize = 1000
  private static let wait = Duration.milliseconds(200)
  /// After 8 s, unacknowledged messages of a killed collector are delivered to another one.
  static let limits = JetStream.ConsumerLimits(acknowledgement: .seconds(8), unacknowledged: 4096)

  /// The durable consumer of a partition.
  static func consumer(_ partition: Int) -> String { "collect-\(partition)" }

  init(
    _ lease: PartitionLease, _ stream: JetStream, _ database: PostgreSQLURL, _ opener: MessageOpener,
    _ status: SharedStatus
  ) {
    (self.lease, self.stream, self.database) = (lease, stream, database)
    (self.opener, self.status) = (opener, status)
  }

  var hasEnded: Bool { ended.withLock(\.self) }

  func start() {
    status.set(lag: 0, of: lease.partition)
    DispatchQueue(label: "stressmon.partition.\(lease.partition)").async { [self] in
      run()
      status.set(lag: nil, of: lease.partition)
      status.set(error: nil, of: .partition(lease.partition))
      status.set(error: nil, of: .newerFormat(lease.partition))
      ended.withLock { $0 = true }
      done.signal()
    }
  }

  /// Requests the end after the current batch.
  func stop() { isStopping.withLock { $0 = true } }

  /// Waits for the end, at most until `deadline`: a transaction can wait for the standby of PostgreSQL without limit.
  func join(until deadline: DispatchTime) { _ = done.wait(timeout: deadline) }

  private func run() {
    var backoff = Backoff(shortest: 50_000_000, longest: 2_000_000_000)
    var state = WorkerState(replay: lease.replay)
    if let format = lease.deferredFormat { reportDeferred(format) }
    while !isStopping.withLock(\.self) {
      do {
        try step(&state)
        status.set(error: nil, of: .partition(lease.partition))
        backoff.reset()
      } catch {
        if (error as? PostgreSQLError)?.state == PostgreSQLError.PrivateState.lostLease { return }
        let partition = lease.partition
        status.set(
          error: Phrase("partition \(partition): \(Phrase(describing: error))"), of: .partition(partition))
        state.recover(from: error)
        usleep(useconds_t(backoff.failed(at: 0) / 1000))
      }
    }
    if let connection = state.connection { try? lease.release(connection) }
  }

  /// The connections, the store and the number of steps, kept between steps.
  private struct WorkerState {
    var connection: PostgreSQLConnection?
    var store: PartitionStore?
    var subscription: PullSubscription?
    var steps = 0
    /// Where to begin, until that has been done.
    var replay: ReplayStart?
    var resend = ResendSchedule()

    init(replay: ReplayStart?) { self.replay = replay }

    mutating func recover(from error: any Error) {
      if let error = error as? PostgreSQLError, error.reaction == .reconnect { connection = nil }
      if error is FleetError { subscription = nil }
    }
  }

  /// Receives and stores messages, for at most the time that ``wait`` and one batch take.
  private func step(_ state: inout WorkerState) throws {
    status.begin(.transaction, of: lease.partition)
    defer { status.end(lease.partition) }
    let (connection, subscription) = try connect(&state)
    var store = state.store ?? PartitionStore(lease)
    state.store = nil
    defer { state.store = store }
    status.begin(.stream, of: lease.partition)
    let received = try subscription.fetch(Self.batchSize, wait: Self.wait)
    status.begin(.transaction, of: lease.partition)
    state.steps += 1
    // Without messages, five steps take a second.
    if state.steps % 5 == 0 { try requestMissing(subscription, &state.resend, connection) }
    if !received.isEmpty {
      try collectAll(received, &store, connection)
    } else if state.steps % 5 == 0 {
      try store.renew(connection)
    }
  }

  private func connect(
    _ state: inout WorkerState
  ) throws -> (PostgreSQLConnection, PullSubscription) {
    let connection = try state.connection ?? FleetDatabase.connect(database)
    state.connection = connection
    let subscription = try state.subscription ?? subscribe(&state.replay, connection)
    state.subscription = subscription
    if state.replay != nil { try lease.finishReplay(connection) }
    state.replay = nil
    return (connection, subscription)
  }

  /// Removes the consumer of the partition, so that it is created again at ``ReplayStart``.
  ///
  /// The time of the first message that the consumer has not acknowledged is lost with the consumer. It is recorded before,
  /// because this collector can end, or the server can fail, before the consumer exists again.
  /// - Returns: Where to begin: at `replay`, or earlier at that message.
  func beginReplay(_ replay: ReplayStart, _ connection: PostgreSQLConnection) throws -> ReplayStart {
    let start = try earliest(replay)
    try lease.recordReplay(from: start, connection)
    try stream.removeConsumer(Self.consumer(lease.partition), of: stream.server.stream)
    return start
  }

  private func earliest(_ replay: ReplayStart) throws(FleetError) -> ReplayStart {
    let name = stream.server.stream
    guard case .time(let time) = replay,
      let state = try stream.existingConsumer(Self.consumer(lease.partition), of: name),
      state.pending + state.unacknowledged > 0
    else { return replay }
    guard state.floor > 0, let acknowledged = try stream.time(ofMessage: state.floor, in: name) else {
      return .beginning
    }
    return .time(min(time, WallTime(microseconds: acknowledged / 1000)))
  }

  /// Continues the consumer of the partition, or creates it if it does not exist or is replaced for a replay.
  private func subscribe(
    _ replay: inout ReplayStart?, _ connection: PostgreSQLConnection
  ) throws -> PullSubscription {
    if let start = replay { replay = try beginReplay(start, connection) }
    return try stream.subscribe(
      stream: stream.server.stream, consumer: Self.consumer(lease.partition),
      filter: FleetSubject.filter(partition: lease.partition, study: stream.server.study),
      from: (replay ?? .beginning).position, limits: Self.limits)
  }

  /// Requests missing events when nearly all messages that were published have been stored.
  private func requestMissing(
    _ subscription: PullSubscription, _ resend: inout ResendSchedule, _ connection: PostgreSQLConnection
  ) throws {
    guard resend.isDue(at: SystemClock.boot) else { return }
    let consumer = try subscription.state()
    guard consumer.pending + consumer.unacknowledged < Self.batchSize else { return }
    let incomplete = try IncompleteSessions.sessions(of: lease, connection)
    for (receiver, entries) in resend.select(incomplete, at: SystemClock.boot) {
      try stream.send(ResendRequest(time: SystemClock.wall, entries: entries), to: receiver)
    }
    if resend.needsOtherLeader(at: SystemClock.boot) {
      try stream.replaceLeader(ofConsumer: Self.consumer(lease.partition), of: stream.server.stream)
    }
  }
}
