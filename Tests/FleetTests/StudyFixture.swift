import Glibc
import HeartRate
import History
import Platform
import Stress
import TestSupport
import Testing

@testable import Fleet

/// A nats-server with the stream of a study, and the history of a receiver.
final class StudyFixture {
  let server: NatsServer
  let collector: JetStream
  let location: StoreLocation
  private let folder: TemporaryFolder
  private let participantsPath: String

  init(
    options: String = "", limits: StreamLimits = StreamLimits(),
    participants: String = "ann = P01\nben = P02\n"
  ) throws {
    server = try NatsServer(options: options)
    folder = try TemporaryFolder(prefix: "study")
    participantsPath = try folder.write(participants, to: "participants")
    location = try StoreLocation(
      path: folder.file("history.db"),
      environment: ["XDG_DATA_HOME": folder.file("data"), "XDG_RUNTIME_DIR": folder.file("run")])
    collector = try JetStream(NatsURL("\(server.url)/rest"), role: .collector, name: "test")
    try collector.createStream(limits)
  }

  var participants: Participants { get throws { try Participants(path: participantsPath) } }

  /// Replaces the stream by an empty one of the same name.
  func replaceStream() throws {
    try server.erase()
    while !collector.isConnected { usleep(10_000) }
    try collector.createStream(StreamLimits())
  }

  /// Starts the built program.
  func publish(_ arguments: String...) throws -> Program {
    try Program(
      Program.besideTheTests("stressmon-net"),
      [
        "publish", "\(server.url)/rest?receiver=R1", "--participants", participantsPath, "--db",
        location.path,
      ]
        + arguments,
      environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("run"), "XDG_CONFIG_HOME": nil])
  }

  func publisher(endsWhenCaughtUp: Bool = true) throws -> FleetPublisher {
    try FleetPublisher(
      NatsURL("\(server.url)/rest"), participants, receiver: #require(FleetCode("R1")),
      location: location,
      endsWhenCaughtUp: endsWhenCaughtUp)
  }

  /// Stores a session with a notification per second.
  func store(
    _ number: UInt64, profile: String = "ann", events: Int, isFinished: Bool = true
  ) async throws -> (SessionID, SessionWriter) {
    var random = SeededGenerator(seed: number)
    let started = WallTime(microseconds: 1_795_000_000_000_000 + Int64(number) * 3_600_000_000)
    let info = SessionInfo(
      id: SessionID(started: started, using: &random), profile: profile, source: .strap,
      strap: StrapIdentity(address: "C0:00:00:00:00:0\(number % 10)", name: "Chest of \(profile)"),
      started: started, zone: "Europe/Berlin", utcOffset: 3600, monotonicNanoseconds: 1, settings: .init(),
      baseline: .populationDefault, programVersion: "0.1.0")
    let writer = SessionWriter(info, at: location)
    for index in 0..<events { writer.append(Self.notification(index, of: number, started)) }
    if isFinished {
      #expect(await writer.finish(at: Self.time(events)) == nil)
    } else {
      let saved = SessionWriter.Status.saved(upTo: Self.time(events - 1))
      while writer.status != saved { try await Task.sleep(for: .milliseconds(10)) }
    }
    return (info.id, writer)
  }

  private static func time(_ index: Int) -> SessionTime {
    SessionTime(ticks: Int64(index) * RRInterval.ticksPerSecond)
  }

  static func notification(_ index: Int, of number: UInt64, _ started: WallTime) -> SessionEvent {
    let rr = 700 + (index * 37 + Int(number)) % 300
    let at = time(index)
    return SessionEvent(
      at: at, wall: started.advanced(ticks: at.ticks),
      .notification(payload: [0x10, 60, UInt8(rr & 255), UInt8(rr >> 8)]))
  }

  /// What the stream contains.
  struct Content {
    var messages = 0
    var text = ""
    /// The subjects, IDs and bodies as the stream stores them.
    var stored = ""
    var begun: Set<SessionID> = []
    var ended: [SessionID: Int64] = [:]
    var events: [SessionID: [Int64: SessionEvent]] = [:]
    /// The deleted events that messages name.
    var deleted: [Range<Int64>] = []
    /// Number of events that it contains more than once.
    var duplicates = 0
    /// Number of events of one session that follow an event with a greater number for the first time.
    var disorder = 0
  }

  /// - Parameter opener: Decrypts the messages of participants with keys.
  func content(_ opener: MessageOpener? = nil) throws -> Content {
    var content = Content()
    let consumer = try collector.subscribe(
      stream: "fleet-rest", consumer: "content", filter: "lab.rest.*.*.*.*")
    let total = try #require(try collector.stream("fleet-rest")).messages
    while content.messages < total {
      for message in try consumer.fetch(100, wait: .seconds(5)) {
        try add(message, to: &content, opener)
        message.acknowledge()
      }
    }
    return content
  }

  private func add(
    _ received: ReceivedMessage, to content: inout Content, _ opener: MessageOpener?
  ) throws {
    let subject = try #require(FleetSubject(received.subject))
    let collected = CollectedMessage(received)
    content.stored +=
      "\(received.subject) \(collected.headers) " + String(decoding: collected.body, as: UTF8.self)
    let body = try opener?.open(collected, subject) ?? collected.body
    let message = try FleetMessage(subject, header: received.header, body: body[...])
    content.messages += 1
    content.text += received.subject + String(decoding: body, as: UTF8.self)
    switch message.content {
    case .begin: content.begun.insert(message.session)
    case .end(_, _, let events): content.ended[message.session] = events
    case .events(let events, let first):
      if let deletedFrom = message.deletedFrom { content.deleted.append(deletedFrom..<first) }
      var stored = content.events[message.session] ?? [:]
      for (index, event) in events.enumerated() {
        let sequence = first + Int64(index)
        if let known = stored[sequence] {
          #expect(known == event)
          content.duplicates += 1
        } else if sequence != stored.count {
          content.disorder += 1
        }
        stored[sequence] = event
      }
      content.events[message.session] = stored
    }
  }

  /// Compares the stream with the history, event by event.
  func expectComplete(_ content: Content, sessions: [SessionID]) throws {
    let reader = try #require(try HistoryReader(location))
    #expect(content.begun == Set(sessions))
    for id in sessions {
      let stored = try reader.events(of: id, from: 0, limit: .max)
      #expect(content.ended[id] == Int64(stored.count))
      let published = content.events[id] ?? [:]
      #expect(published.count == stored.count)
      #expect(stored.allSatisfy { published[$0.sequence] == $0.event.asPublished })
    }
  }
}

extension SessionEvent {
  /// The event as it is published.
  fileprivate var asPublished: SessionEvent {
    guard case .link(var change) = kind else { return self }
    change.strap?.name = nil
    change.reason = nil
    return SessionEvent(at: at, wall: wall, .link(change))
  }
}
