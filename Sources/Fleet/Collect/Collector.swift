internal import Glibc
internal import Platform

/// Moves the messages of a study from JetStream to PostgreSQL, together with other collectors of the same study.
///
/// The thread that calls ``run(until:report:)`` acquires and releases partitions; each partition has its own thread and connection.
package final class Collector {
  private let stream: JetStream
  private let database: PostgreSQLURL
  private let membership: CollectorMembership
  private let status = SharedStatus()
  private var workers: [PartitionWorker] = []
  private var connection: PostgreSQLConnection?
  /// In ns of the boot clock.
  private var nextRequest: Int64 = 0
  private static let requestInterval: Int64 = 30_000_000_000

  /// Connects to both servers, migrates the database, and creates the stream or changes its limits.
  package init(
    _ server: FleetServer, _ database: PostgreSQLURL, _ changes: StreamLimitChanges
  ) throws(FleetError) {
    self.database = database
    try FleetDatabase.migrate(database)
    stream = try JetStream(server, role: .collector, name: "stressmon collect")
    try Self.prepare(stream, changes)
    do throws(PostgreSQLError) {
      let connection = try FleetDatabase.connect(database)
      let study = try CollectorMembership.register(server.study, connection)
      let host = Self.hostName
      let id = "\(host)-\(getpid())-\(SystemClock.boot)"
      (membership, self.connection) = (CollectorMembership(study: study, id: id, host: host), connection)
    } catch {
      throw FleetError(
        error.canPass ? .unreachable : .database, "cannot register the study \(server.study): \(error)")
    }
  }

  private static func prepare(_ stream: JetStream, _ changes: StreamLimitChanges) throws(FleetError) {
    let name = stream.server.stream
    guard let limits = try stream.stream(name)?.limits else {
      return try stream.createStream(changes.applied(to: StreamLimits()))
    }
    let changed = changes.applied(to: limits)
    if changed != limits { try stream.setLimits(changed, of: name) }
  }

  /// Collects until `stop` is readable, then ends the partitions after their current batches.
  /// - Parameter report: Called every two seconds with the status.
  package func run(until stop: CInt, report: (CollectorStatus) -> Void) {
    var next = SystemClock.boot
    repeat {
      do throws(PostgreSQLError) {
        try divide()
        try requestMissing()
        status.set(error: nil, of: -1)
      } catch {
        status.set(error: "\(error)", of: -1)
        connection = nil
      }
      if SystemClock.boot >= next {
        report(status.current)
        next = SystemClock.boot + 2_000_000_000
      }
    } while !Self.wait(for: stop, milliseconds: 1000)
    end()
    report(status.current)
  }

  /// Starts and stops workers so that this collector owns its part of the partitions.
  private func divide() throws(PostgreSQLError) {
    let connection: PostgreSQLConnection
    if let existing = self.connection {
      connection = existing
    } else {
      connection = try FleetDatabase.connect(database)
    }
    self.connection = connection
    workers.removeAll(where: \.hasEnded)
    let quota = CollectorMembership.quota(membership.id, among: try membership.renew(connection))
    while workers.count < quota {
      guard let lease = try membership.acquire(connection) else { break }
      let worker = PartitionWorker(lease, stream, database, status)
      worker.start()
      workers.append(worker)
    }
    for worker in workers.dropFirst(quota) { worker.stop() }
  }

  /// Requests missing events every 30 s. One of the collectors does this: the one with partition 0.
  private func requestMissing() throws(PostgreSQLError) {
    guard SystemClock.boot >= nextRequest, let connection,
      workers.contains(where: { $0.lease.partition == 0 })
    else { return }
    nextRequest = SystemClock.boot + Self.requestInterval
    if let request = try IncompleteSessions.request(study: membership.study, at: SystemClock.wall, connection)
    {
      // Receivers that are not connected publish what they have not published anyway.
      try? stream.send(request)
    }
  }

  private func end() {
    for worker in workers { worker.stop() }
    for worker in workers { worker.join() }
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
