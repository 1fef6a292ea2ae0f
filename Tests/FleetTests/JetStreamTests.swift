import Glibc
import HeartRate
import TestSupport
import Testing

@testable import Fleet

/// The wrapper of libnats with a real server.
@Suite(.enabled(if: NatsServer.isInstalled, "needs nats-server")) struct JetStreamTests {
  private let server: NatsServer
  private let subject = FleetSubject("lab.rest.R1.P01.c00000000001")!

  init() throws { server = try NatsServer() }

  private func connect(_ role: JetStream.Role = .receiver(CollectedSession.receiver), study: String = "rest")
    throws -> JetStream
  {
    try JetStream(NatsURL("\(server.url)/\(study)"), role: role, name: "test")
  }

  private func publish(_ numbers: Range<Int>, to stream: JetStream) throws {
    for number in numbers {
      try stream.publish(
        subject, headers: [("Nats-Msg-Id", "\(number)")], body: Array("body \(number)".utf8),
        token: UInt64(number))
    }
  }

  private func results(_ count: Int, of stream: JetStream) throws -> [PublishResult] {
    var results: [PublishResult] = []
    let deadline = monotonicSeconds() + Program.patience
    while results.count < count, monotonicSeconds() < deadline {
      results += try stream.acknowledgements(wait: .milliseconds(100))
    }
    return results
  }

  private func collector() throws -> JetStream {
    let stream = try connect(.collector)
    try stream.createStream(StreamLimits())
    return stream
  }

  @Test func publishesOnce() throws {
    let collector = try collector()
    let publisher = try connect()
    try publish(0..<100, to: publisher)
    let first = try results(100, of: publisher)
    #expect(Set(first.map(\.token)) == Set(0..<100))
    #expect(first.allSatisfy { $0.outcome == .stored(isDuplicate: false) })
    try publish(0..<1, to: publisher)
    #expect(try results(1, of: publisher) == [PublishResult(token: 0, outcome: .stored(isDuplicate: true))])
    #expect(try collector.stream("fleet-rest")?.messages == 100)
    #expect(try collector.stream("fleet-other") == nil)
  }

  @Test func collectorsDivideTheMessages() throws {
    let collector = try collector()
    let publisher = try connect()
    try publish(0..<20, to: publisher)
    _ = try results(20, of: publisher)
    let filters = (0..<FleetSubject.partitions).map {
      FleetSubject.filter(partition: $0, study: subject.study)
    }
    let counts = try filters.map { try collector.messages(in: "fleet-rest", matching: $0) }
    let partition = try #require(counts.firstIndex(of: 20))
    func subscribe() throws -> PullSubscription {
      try collector.subscribe(stream: "fleet-rest", consumer: "collect-0", filter: filters[partition])
    }
    let subscriptions = [try subscribe(), try subscribe()]
    #expect(try subscriptions[0].state().pending == 20)
    var received: [String] = []
    for (subscription, count) in zip(subscriptions, [5, 100]) {
      for message in try subscription.fetch(count, wait: .seconds(5)) {
        #expect(FleetSubject(message.subject) == subject)
        #expect(
          message.header("Nats-Msg-Id").map { "body \($0)" } == String(decoding: message.body, as: UTF8.self))
        #expect(message.deliveries == 1)
        received.append(message.header("Nats-Msg-Id") ?? "")
        #expect(message.acknowledge())
      }
    }
    #expect(received == (0..<20).map { "\($0)" })
    #expect(try subscriptions[0].fetch(1, wait: .milliseconds(50)).isEmpty)
  }

  /// libnats 3.4 sends a start at 7.05 s as 7.5 s, which would skip this message.
  @Test func aStartWithASmallFractionSkipsNoMessage() throws {
    let collector = try collector()
    let publisher = try connect()
    var time: Int64 = 0
    var count = 0
    repeat {
      try publish(count..<count + 1, to: publisher)
      _ = try results(1, of: publisher)
      count += 1
      time = try #require(try collector.time(ofMessage: UInt64(count), in: "fleet-rest"))
      usleep(20_000)
    } while !(1_000_000..<99_000_000).contains(time % 1_000_000_000)
    let consumer = try collector.subscribe(
      stream: "fleet-rest", consumer: "late", filter: "lab.rest.*.*.*.*", from: .time(time))
    #expect(try consumer.fetch(count, wait: .seconds(5)).contains { $0.sequence == UInt64(count) })
  }

  @Test func rejectedMessagesAreDeliveredAgain() throws {
    let collector = try collector()
    let publisher = try connect()
    try publish(0..<1, to: publisher)
    _ = try results(1, of: publisher)
    let consumer = try collector.subscribe(stream: "fleet-rest", consumer: "all", filter: "lab.rest.*.*.*.*")
    let first = try #require(try consumer.fetch(1, wait: .seconds(5)).first)
    #expect(first.requestRedelivery(after: .milliseconds(10)))
    let second = try #require(try consumer.fetch(1, wait: .seconds(30)).first)
    #expect(second.deliveries == 2 && second.sequence == first.sequence)
    #expect(try consumer.state() == ConsumerState(pending: 0, unacknowledged: 1, redelivered: 1, floor: 0))
  }

  /// Acknowledgements of another consumer have no effect, and the consumer of the reading is removed.
  @Test func readsMessagesAgain() throws {
    let collector = try collector()
    let publisher = try connect()
    try publish(0..<2500, to: publisher)
    let other = FleetSubject("lab.rest.R2.P01.c00000000001")!
    try publisher.publish(other, headers: [], body: [1], token: 2500)
    _ = try results(2501, of: publisher)
    let consumer = try collector.subscribe(stream: "fleet-rest", consumer: "all", filter: "lab.rest.*.*.*.*")
    let first = try consumer.fetch(100, wait: .seconds(5))
    for message in first { message.acknowledge() }
    let partition = try #require(first[0].subject.split(separator: ".").last.flatMap { Int($0) })
    func read(since time: Int64 = 0, limit: Int = .max) throws -> [UInt64] {
      var sequences: [UInt64] = []
      try collector.read(
        "fleet-rest", matching: subject.filter(partition: partition), since: time, limit: limit
      ) {
        sequences += $0.map(\.sequence)
        return true
      }
      return sequences
    }
    #expect(try read() == Array(1...2500))
    #expect(try read(limit: 1200) == Array(1...1200))
    let time = try #require(try collector.time(ofMessage: 50, in: "fleet-rest"))
    #expect(time == first[49].published)
    #expect(try read(since: time) == Array(50...2500))
    #expect(try read(since: time, limit: 60) == Array(50..<110))
    #expect(try collector.time(ofMessage: 9999, in: "fleet-rest") == nil)
    var pages = 0
    try collector.read("fleet-rest", matching: subject.filter(partition: partition), since: 0, limit: .max) {
      _ in
      pages += 1
      return false
    }
    #expect(pages == 1)
    #expect(try consumer.state().pending + consumer.state().unacknowledged == 2401)
  }

  @Test func purgesAParticipant() throws {
    let collector = try collector()
    let publisher = try connect()
    try publish(0..<3, to: publisher)
    let other = FleetSubject("lab.rest.R1.P02.c00000000001")!
    try publisher.publish(other, headers: [], body: [1], token: 3)
    _ = try results(4, of: publisher)
    try collector.purge(
      "fleet-rest", matching: FleetSubject.filter(participant: subject.participant, study: subject.study))
    #expect(try collector.messages(in: "fleet-rest", matching: "lab.rest.R1.P01.*.*") == 0)
    #expect(try collector.stream("fleet-rest")?.messages == 1)
  }

  /// The requests of collectors before the server has the subscription are lost.
  @Test func subscribingToResendRequestsWaitsForTheServer() throws {
    let (collector, publisher) = (try connect(.collector), try connect())
    server.pause()
    let error = #expect(throws: FleetError.self) {
      _ = try publisher.resendRequests(to: CollectedSession.receiver)
    }
    server.signal(SIGCONT)
    #expect(error?.code == .unreachable)
    let requests = try publisher.resendRequests(to: CollectedSession.receiver)
    let sent = ResendRequest(time: WallTime(microseconds: 1), entries: [])
    try collector.send(sent, to: CollectedSession.receiver)
    let received = givenTime { seconds in
      usleep(UInt32(seconds) * 100_000)
      return requests.next()
    } until: {
      $0 != nil
    }
    #expect(received == sent)
  }

  @Test func reconnects() throws {
    _ = try collector()
    let publisher = try connect()
    server.stop()
    let isInterrupted = givenTime { seconds in
      usleep(UInt32(seconds) * 100_000)
      return !publisher.isConnected
    } until: {
      $0
    }
    #expect(isInterrupted)
    let error = #expect(throws: FleetError.self) { try publish(0..<1, to: publisher) }
    #expect(error?.code == .unreachable)
    try server.start()
    let deadline = monotonicSeconds() + Program.patience
    while !publisher.isConnected, monotonicSeconds() < deadline { usleep(10_000) }
    try publish(0..<1, to: publisher)
    #expect(try results(1, of: publisher).first?.outcome == .stored(isDuplicate: false))
  }
}
