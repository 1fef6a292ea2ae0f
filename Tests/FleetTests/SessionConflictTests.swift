import Glibc
import HeartRate
import History
import TestSupport
import Testing

@testable import Fleet

struct ConflictScheduleTests {
  private static let second: Int64 = 1_000_000_000

  private func conflict(_ number: UInt64, receiver: String = "R1") throws -> SessionConflict {
    var random = SeededGenerator(seed: number)
    return SessionConflict(
      session: SessionID(started: WallTime(microseconds: 0), using: &random),
      receiver: try #require(FleetCode(receiver)), participant: try #require(FleetCode("P01")),
      claimed: WallTime(microseconds: 0))
  }

  @Test func readingsPerConflictAreLimited() throws {
    var schedule = ConflictSchedule()
    let (first, second) = (try conflict(1), try conflict(2))
    let readings = (0..<100).count { schedule.begin(first, at: $0 * 3600 * Self.second) }
    #expect(readings == ConflictSchedule.attempts)
    let isRead = schedule.begin(second, at: 100 * 3600 * Self.second)
    #expect(isRead)
  }

  /// A hostile receiver does not prevent readings of another one.
  @Test func readingsPerMinuteOfAReceiverAreLimited() throws {
    var schedule = ConflictSchedule()
    let count = try (0..<600).count { time in
      try schedule.begin(conflict(UInt64(time), receiver: "R2"), at: Int64(time) * Self.second)
    }
    #expect(count == 10 * ConflictSchedule.rate)
    let isRead = try schedule.begin(conflict(1), at: 599 * Self.second)
    #expect(isRead)
  }
}

/// A collector with a durable consumer that has skipped messages, because another program acknowledged them.
@Suite(
  .enabled(if: NatsServer.isInstalled && PostgreSQLServer.isInstalled, "needs nats-server and PostgreSQL 15"))
struct SkippedMessagesTests {
  private let server: NatsServer
  private let stream: JetStream
  private let database: QueryStore
  private let target: String
  private let folder: TemporaryFolder
  private let session = CollectedSession("P01")

  init() throws {
    server = try NatsServer()
    stream = try JetStream(
      NatsURL("\(server.url)/\(CollectedSession.study)"), role: .collector, name: "test")
    try stream.createStream(StreamLimits())
    let (name, postgres) = ("d\(UInt32.random(in: 0 ... .max))", try PostgreSQLServer.shared.get())
    database = try QueryStore(try postgres.database(name))
    target = "postgresql://postgres@/\(name)?host=\(postgres.folder.path)"
    folder = try TemporaryFolder(prefix: "skip")
  }

  private func publish(_ messages: [FleetMessage], receiver: String = CollectedSession.receiver.text) throws {
    var subject = session.subject
    subject.receiver = try #require(FleetCode(receiver))
    for (token, message) in messages.enumerated() {
      try stream.publish(subject, headers: message.headers, body: message.body, token: UInt64(token))
    }
    var stored = 0
    let deadline = monotonicSeconds() + Program.patience
    while stored < messages.count, monotonicSeconds() < deadline {
      stored += try stream.acknowledgements(wait: .milliseconds(100)).count
    }
    #expect(stored == messages.count)
  }

  /// The durable consumer of the partition that contains the session.
  private func consumer() throws -> PullSubscription {
    let name = stream.server.stream
    let partitions = 0..<FleetSubject.partitions
    let partition = try #require(
      partitions.first {
        (try? stream.messages(in: name, matching: session.subject.filter(partition: $0))) ?? 0 > 0
      })
    return try stream.subscribe(
      stream: name, consumer: PartitionWorker.consumer(partition),
      filter: FleetSubject.filter(partition: partition, study: CollectedSession.study),
      limits: PartitionWorker.limits)
  }

  /// Runs the program until `condition` holds.
  private func collect(until condition: () throws -> Bool) throws {
    let program = try Program(
      Program.besideTheTests("stressmon-net"),
      ["collect", "--from", "\(server.url)/\(CollectedSession.study)", "--into", target],
      environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_CONFIG_HOME": nil])
    let deadline = monotonicSeconds() + Program.patience
    while try !condition(), monotonicSeconds() < deadline { usleep(100_000) }
    program.signal(SIGINT)
    try program.waitForExit()
  }

  private func stored() throws -> [String] {
    let result = try database.connection.run(
      "SELECT r.code, s.next FROM session s JOIN receiver r ON r.number = s.receiver")
    return (0..<result.count).map { "\(result.text($0, 0)) \(result.integer($0, 1))" }
  }

  @Test func aClaimIsReplacedByTheSkippedMessages() throws {
    let messages = session.messages(size: 100)
    try publish(Array(messages.prefix(2)))
    let consumer = try consumer()
    for message in try consumer.fetch(10, wait: .seconds(5)) { message.acknowledge() }
    var claim = session.messages(size: 50)
    for index in claim.indices { claim[index].secret = "forged" }
    try publish(claim, receiver: "R2")
    try publish(Array(messages.dropFirst(2)))
    #expect(try consumer.state().pending == claim.count + messages.count - 2)
    // Not a new partition, which is read from the beginning.
    try database.connection.run("UPDATE partition_lease SET replay_from = NULL, expires = clock_timestamp()")
    let expected = ["R1 \(session.events.count)"]
    try collect { try stored() == expected }
    #expect(try stored() == expected)
  }

  /// The partition had no collector for minutes, so that it is read again from ten minutes before; older messages were not processed yet.
  @Test func aReplaySkipsNoUnprocessedMessages() throws {
    let messages = session.messages(size: 100)
    try publish(Array(messages.prefix(2)))
    let consumer = try consumer()
    for message in try consumer.fetch(1, wait: .seconds(5)) { message.acknowledge() }
    try publish(Array(messages.dropFirst(2)))
    try database.connection.run(
      "UPDATE partition_lease SET replay_from = clock_timestamp() + interval '1 min', expires = clock_timestamp()"
    )
    let expected = ["R1 \(session.events.count)"]
    try collect { try stored() == expected }
    #expect(try stored() == expected)
  }

  /// The collector ends after it has removed the consumer, and before it has created it again.
  @Test func aReplayCutOffSkipsNoUnprocessedMessages() throws {
    try publish(session.messages(size: 100))
    let consumer = try consumer()
    for message in try consumer.fetch(1, wait: .seconds(5)) { message.acknowledge() }
    let partition = try #require(Int(consumer.consumer.dropFirst("collect-".count)))
    // Leaves one partition without an owner.
    try database.connection.run(
      """
      UPDATE partition_lease SET replay_from = clock_timestamp() + interval '1 min',
        expires = clock_timestamp() + CASE partition WHEN $1 THEN 0 ELSE 300 END * interval '1 s',
        owner = CASE partition WHEN $1 THEN NULL ELSE 'another' END
      """, [.integer(Int64(partition))])
    let lease = try database.lease()
    #expect(lease.partition == partition)
    let opener = MessageOpener(ParticipantKeyFile(path: "\(folder.path)/keys"), study: stream.server.study)
    let worker = PartitionWorker(lease, stream, database.url, opener, SharedStatus())
    _ = try worker.beginReplay(try #require(lease.replay), database.connection)
    #expect(try stream.existingConsumer(consumer.consumer, of: stream.server.stream) == nil)
    try database.connection.run("UPDATE partition_lease SET owner = NULL, expires = clock_timestamp()")
    let expected = ["R1 \(session.events.count)"]
    try collect { try stored() == expected }
    #expect(try stored() == expected)
  }
}
