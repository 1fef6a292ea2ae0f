internal import Dispatch
internal import Glibc
internal import Localization
internal import Platform

/// Moves the messages of a study from JetStream to PostgreSQL, together with other collectors of the same study.
///
/// The thread that calls ``run(until:report:)`` acquires and releases partitions; each partition has its own thread and
/// connection.
package final class Collector {
  private var stream: JetStream
  private let database: PostgreSQLURL
  private let membership: CollectorMembership
  private let opener: MessageOpener
  private let status = SharedStatus()
  private var workers: [PartitionWorker] = []
  private var connection: PostgreSQLConnection?
  /// Whether the stream of the study did not exist before.
  package let isNewStream: Bool
  /// Whether the stream of an earlier version exists, which is not read.
  package let hasEarlierStream: Bool
  /// Time to wait for the batches in progress at the end, in seconds.
  private static let endTimeout = 8.0

  /// Connects to both servers, migrates the database, creates the stream or changes its limits, and changes those of the study.
  package init(
    _ server: NatsURL, _ database: PostgreSQLURL, _ keys: ParticipantKeyFile, _ changes: StreamLimitChanges,
    _ sessions: SessionLimitChanges
  ) throws(FleetError) {
    self.database = database
    try keys.finishErasure()
    opener = MessageOpener(keys, study: server.study)
    try opener.refresh()
    let connection = try FleetDatabase.prepared(database)
    let stream = try JetStream(server, role: .collector, name: "collect")
    self.stream = stream
    isNewStream = try stream.namingViolations { () throws(FleetError) in try Self.prepare(stream, changes) }
    hasEarlierStream = try stream.stream(server.earlierStream) != nil
    do throws(PostgreSQLError) {
      try Self.commitLocally(connection)
      let study = try CollectorMembership.register(server.study, connection)
      try SessionLimits.change(sessions, study: study, connection)
      let host = Self.hostName
      let id = "\(host)-\(getpid())-\(SystemClock.boot)"
      (membership, self.connection) = (CollectorMembership(study: study, id: id, host: host), connection)
    } catch {
      throw FleetError(
        error.isTransient ? .unreachable : .database,
        Phrase("cannot register the study \(server.study): \(error.description)"))
    }
  }

  /// Creates the stream or changes its limits.
  /// - Returns: Whether it was created.
  private static func prepare(_ stream: JetStream, _ changes: StreamLimitChanges) throws(FleetError) -> Bool {
    let name = stream.server.stream
    guard let state = try stream.stream(name) else {
      try stream.createStream(changes.applied(to: StreamLimits()))
      return true
    }
    if let bytes = changes.bytes, UInt64(bytes) < state.bytes {
      throw FleetError(
        .usage,
        Phrase(
          """
          the stream \(name) contains \(state.bytes) bytes, and a limit of \(bytes) would remove messages; choose a \
          larger --max-bytes
          """)
      )
    }
    let changed = changes.applied(to: state.limits)
    if changed != state.limits { try stream.setLimits(changed, of: name) }
    return false
  }

  /// Collects until `stop` is readable, then ends the partitions after their current batches.
  /// - Parameter report: Called every two seconds with the status.
  package func run(until stop: CInt, report: (CollectorStatus) -> Void) {
    var next = SystemClock.boot
    var observer = LagObserver(stream, status)
    repeat {
      do {
        if stream.isClosed {
          observer.stop()
          try reconnect()
          observer = LagObserver(stream, status)
        }
        try rebalance()
        status.set(error: nil, of: .collector)
      } catch {
        status.set(error: Phrase(describing: error), of: .collector)
        if error is PostgreSQLError { connection = nil }
      }
      if SystemClock.boot >= next {
        report(status.current)
        next = SystemClock.boot + 2_000_000_000
      }
    } while !Self.wait(for: stop, milliseconds: 1000)
    observer.stop()
    end()
    report(status.current)
  }

  /// Starts and stops workers until this collector owns its part of the partitions.
  private func rebalance() throws(PostgreSQLError) {
    let connection: PostgreSQLConnection
    if let existing = self.connection {
      connection = existing
    } else {
      connection = try FleetDatabase.connect(database)
      try Self.commitLocally(connection)
    }
    self.connection = connection
    workers.removeAll(where: \.hasEnded)
    let quota = CollectorMembership.quota(membership.id, among: try membership.renew(connection))
    while workers.count < quota {
      guard let lease = try membership.acquire(connection) else { break }
      let worker = PartitionWorker(lease, stream, database, opener, status)
      worker.start()
      workers.append(worker)
    }
    for worker in workers.dropFirst(quota) { worker.stop() }
  }

  /// Commits memberships and leases without waiting for the standby of PostgreSQL, because they expire after a failover
  /// anyway. While the standby is down, this thread must still report and receive signals.
  private static func commitLocally(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run("SELECT set_config('synchronous_commit', 'local', false)")
  }

  /// Opens a new connection to NATS: libnats ends one for ever if a server refuses its credentials twice, and ``ClockWatch``
  /// ends one after the clock was set back.
  private func reconnect() throws(FleetError) {
    endWorkers()
    stream = try JetStream(stream.server, role: .collector, name: "collect")
  }

  private func endWorkers() {
    for worker in workers { worker.stop() }
    let deadline = DispatchTime.now() + Self.endTimeout
    for worker in workers { worker.join(until: deadline) }
    workers.removeAll(where: \.hasEnded)
  }

  private func end() {
    endWorkers()
    if let connection { try? membership.remove(connection) }
  }

  private static func wait(for stop: CInt, milliseconds: CInt) -> Bool {
    var descriptor = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptor, 1, milliseconds) > 0
  }

  private static var hostName: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "unknown" }
    return unsafe withUnsafeBytes(of: &name.nodename) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
