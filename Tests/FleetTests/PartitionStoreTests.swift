import HeartRate
import History
import TestSupport
import Testing

@testable import Fleet

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct PartitionStoreTests {
  private let database: QueryStore
  private let session = CollectedSession("P01")

  init() throws { database = try QueryStore() }

  @Test func resultsEqualThoseOfTheEngine() throws {
    var store = PartitionStore(try database.lease())
    let outcome = try database.store(session.collected(session.messages(size: 256)), in: &store)
    #expect(outcome.events == session.events.count)
    #expect(!session.measurements.isEmpty)
    #expect(try database.measurements(session) == session.measurements)
    #expect(try database.events(session).map(\.event) == session.events)
    #expect(try database.count("beat") == Int64(session.beats))
    #expect(try database.count("gap") == 1)
    #expect(try database.count("mark") == 1)
    #expect(try database.count("link_change") == 3)
    let coverage = try database.connection.run(
      "SELECT receiver, beats::bigint, waiting_events::bigint FROM coverage_per_receiver")
    #expect(
      coverage.text(0, 0) == "R1" && coverage.integer(0, 1) == Int64(session.beats)
        && coverage.integer(0, 2) == 0)
  }

  /// Single events, batches with other boundaries, duplicates, a wrong order and a restart give the same rows.
  @Test(arguments: 1...6)
  func rowsDoNotDependOnTheDelivery(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let reference = try QueryStore()
    var expected = PartitionStore(try reference.lease())
    let ordered = session.collected(session.messages(size: 256))
    try reference.store(ordered, in: &expected)

    var messages = session.messages(size: 7) + session.messages(size: 40)
    messages.shuffle(using: &random)
    var store = PartitionStore(try database.lease(), cacheLimit: seed == 1 ? 0 : 256)
    while !messages.isEmpty {
      let count = min(messages.count, Int.random(in: 1...20, using: &random))
      try database.store(session.collected(Array(messages.prefix(count))), in: &store)
      messages.removeFirst(count)
      if Int.random(in: 0..<4, using: &random) == 0 { store = PartitionStore(try database.leaseAgain()) }
    }
    #expect(try database.digest(session) == reference.digest(session))
    #expect(try database.measurements(session) == session.measurements)
  }

  @Test func missingEventsAreAwaited() throws {
    var store = PartitionStore(try database.lease())
    try database.store(
      session.collected([session.begin, session.message(0..<50), session.message(60..<100)]), in: &store)
    let sql = "SELECT next, highest FROM session"
    let before = try database.connection.run(sql)
    #expect(before.integer(0, 0) == 50 && before.integer(0, 1) == 100)
    try database.store(session.collected([session.message(50..<60)]), in: &store)
    #expect(try database.connection.run(sql).integer(0, 0) == 100)
  }

  @Test func incompleteSessionsAreRequested() throws {
    let lease = try database.lease()
    var store = PartitionStore(lease)
    let incomplete = { try IncompleteSessions.sessions(of: lease, database.connection) }
    let age = { () throws -> Void in
      try database.connection.run("UPDATE session SET updated = now() - interval '1 min'")
    }
    try database.store(session.collected([session.begin, session.message(0..<50), session.end]), in: &store)
    #expect(try incomplete() == [:])
    try age()
    let entry = ResendRequest.Entry(session: session.id, next: 50)
    #expect(try incomplete() == [CollectedSession.receiver: [entry]])
    let other = CollectedSession("P02", seed: 2)
    try database.store(other.collected([other.begin], from: 50, receiver: "R2"), in: &store)
    try age()
    let receiver = try #require(FleetCode("R2"))
    #expect(
      try incomplete() == [
        CollectedSession.receiver: [entry], receiver: [.init(session: other.id, next: 0)],
      ])
    try database.store(other.collected(other.messages(size: 256), from: 60, receiver: "R2"), in: &store)
    // Duplicates are no progress.
    try database.store(session.collected([session.begin, session.message(0..<50), session.end]), in: &store)
    #expect(try incomplete().count == 1)
    #expect(try IncompleteSessions.sessions(of: database.lease(), database.connection) == [:])
    try database.store(session.collected([session.message(50..<session.events.count)]), in: &store)
    try age()
    #expect(try incomplete() == [:])
  }

  @Test func aCollectorThatLostItsLeaseCannotCommit() throws {
    let lease = try database.lease()
    var store = PartitionStore(lease)
    try database.store(session.collected([session.begin, session.message(0..<50)]), in: &store)
    try database.connection.run("UPDATE partition_lease SET expires = '-infinity'")
    let other = try database.lease("b")
    #expect(other.partition == lease.partition && other.epoch == lease.epoch + 1)
    let error = #expect(throws: PostgreSQLError.self) {
      try database.store(session.collected([session.message(50..<100)]), in: &store)
    }
    #expect(error?.state == PostgreSQLError.PrivateState.lostLease)
    #expect(try database.count("event") == 50)
  }

  @Test func invalidMessagesAreKeptAndLaterFormatsAreNot() throws {
    var store = PartitionStore(try database.lease())
    var messages = session.collected([
      session.begin, session.message(0..<10), session.message(10..<20), session.message(20..<30),
    ])
    messages[2].body = [0, 1, 2]
    messages[3].headers["Stressmon-Format"] = "4"
    let batch = CollectedBatch(messages, study: CollectedSession.study)
    #expect(batch.deferred.map(\.message) == [3])
    #expect(try store.store(batch, messages, database.connection).rejected == 1)
    #expect(try store.store(batch, messages, database.connection).rejected == 0)
    let rejected = try database.connection.run("SELECT message, payload FROM rejected")
    #expect(rejected.text(0, 0) == session.message(10..<20).id && rejected.bytes(0, 1) == [0, 1, 2])
    #expect(try database.count("event") == 10)
  }

  @Test func aForgedMessageDoesNotAffectTheOthersOfItsBatch() throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected([session.begin, session.message(0..<10)]), in: &store)
    var messages = session.collected([session.message(10..<11), session.message(10..<20)], from: 100)
    messages[0].subject = "lab.sleep.R1.P02.none.0"
    #expect(try database.store(messages, in: &store).rejected == 1)
    #expect(try database.count("event") == 20)
    #expect(
      try database.connection.run("SELECT subject FROM rejected").text(0, 0) == "lab.sleep.R1.P02.none.0")
  }

  /// Review F1: a receiver appended events to a finished session of another one, and ended its sessions.
  @Test(arguments: [true, false]) func aSessionHasOneReceiver(isCached: Bool) throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected([session.begin, session.message(0..<50)]), in: &store)
    let before = try database.digest(session)
    if !isCached { store = PartitionStore(try database.leaseAgain()) }
    var forged = session.message(0..<10)
    forged.content = .events(Array(session.events[0..<10]), first: 500)
    let messages = session.collected([session.begin, forged, session.end], from: 100, receiver: "R2")
    #expect(try database.store(messages, in: &store).rejected == 3)
    #expect(try database.digest(session) == before)
    let rejected = try database.connection.run("SELECT DISTINCT reason FROM rejected")
    #expect(rejected.text(0, 0) == "the session \(session.id) belongs to the receiver R1")
    #expect(try database.connection.run("SELECT count(*) FROM receiver").integer(0, 0) == 1)
  }

  /// Within one batch, the first message counts, and messages of the first receiver are stored wherever they are.
  @Test func aForgedMessageBetweenThoseOfTheReceiver() throws {
    var store = PartitionStore(try database.lease())
    var messages = session.collected(session.messages(size: 100))
    let forged = session.collected([session.message(250..<260)], from: 50, receiver: "R2")
    messages.insert(contentsOf: forged, at: 1)
    #expect(try database.store(messages, in: &store).rejected == 1)
    #expect(try database.measurements(session) == session.measurements)
    var known = PartitionStore(try database.leaseAgain())
    #expect(try database.store(forged + messages, in: &known).events == 0)
    #expect(try database.measurements(session) == session.measurements)
  }

  @Test func theReceiverIsThatOfTheSubject() throws {
    var store = PartitionStore(try database.lease())
    var messages = session.collected([session.begin], receiver: "R7")
    messages[0].headers["Stressmon-Receiver"] = "R1"
    try database.store(messages, in: &store)
    #expect(try database.connection.run("SELECT code FROM receiver").text(0, 0) == "R7")
  }

  /// Review F1: a message of the format 999999 was an error of the collector for ever.
  @Test func implausibleFormatsAreRejected() throws {
    var store = PartitionStore(try database.lease())
    var messages = session.collected([session.begin, session.message(0..<10), session.message(10..<20)])
    messages[1].headers["Stressmon-Format"] = "999999"
    messages[2].headers["Stressmon-Format"] = "1"
    let batch = CollectedBatch(messages, study: CollectedSession.study)
    #expect(batch.deferred.isEmpty)
    #expect(try store.store(batch, messages, database.connection).rejected == 2)
    #expect(
      try database.connection.run("SELECT count(deferred_format) FROM partition_lease").integer(0, 0) == 0)
  }

  @Test func aSessionHasOnePartition() throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected([session.begin, session.message(0..<10)]), in: &store)
    var other = PartitionStore(try database.lease())
    #expect(try database.store(session.collected([session.message(10..<20)]), in: &other).rejected == 1)
    #expect(try database.count("event") == 10)
  }

  @Test func studiesDoNotShareSessions() throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected(session.messages(size: 256)), in: &store)
    let nap = try #require(FleetCode("nap"))
    let study = try CollectorMembership.register(nap, database.connection)
    let lease = try #require(
      try CollectorMembership(study: study, id: "a", host: "h").acquire(database.connection))
    var messages = session.collected(session.messages(size: 256))
    for index in messages.indices { messages[index].subject = "lab.nap.R1.P01.none.0" }
    var other = PartitionStore(lease)
    let outcome = try other.store(CollectedBatch(messages, study: nap), messages, database.connection)
    #expect(outcome.rejected == 0 && outcome.events == session.events.count)
    #expect(try database.count("beat") == Int64(2 * session.beats))
  }

  @Test func aSessionOfTheFutureIsRejected() throws {
    let future = CollectedSession("P01", started: 4_000_000_000_000_000)
    var messages = future.collected([future.begin])
    messages[0].published = WallTime(microseconds: 1_795_000_000_000_000)
    var store = PartitionStore(try database.lease())
    #expect(try database.store(messages, in: &store).rejected == 1)
    #expect(
      try database.connection.run("SELECT reason FROM rejected").text(0, 0).hasSuffix("clock of the receiver")
    )
  }

  @Test func aSessionHasOneParticipant() throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected(session.messages(size: 100)), in: &store)
    var foreign = session.collected([session.message(0..<5)], from: 100)
    foreign[0].subject = "lab.sleep.R1.P02.none.0"
    #expect(try database.store(foreign, in: &store).rejected == 1)
    #expect(try database.count("event") == Int64(session.events.count))
  }

  @Test func erasedParticipantsAreNotStored() throws {
    var store = PartitionStore(try database.lease())
    try database.connection.run(
      "INSERT INTO erasure (study, participant, sessions, events) VALUES ($1::int, 'P01', 0, 0)",
      [.integer(database.study)])
    let other = CollectedSession("P02", seed: 2)
    let messages =
      session.collected(session.messages(size: 256)) + other.collected(other.messages(size: 256), from: 100)
    let outcome = try database.store(messages, in: &store)
    #expect(outcome.erasedSessions == 1 && outcome.erased == [session.participant])
    #expect(try database.count("event") == Int64(other.events.count))
    #expect(try database.count("participant") == 1)
  }

  @Test func textWithNULIsStored() throws {
    var store = PartitionStore(try database.lease())
    let message = FleetMessage(
      session: session.id, secret: CollectedSession.secret,
      .events([SessionEvent(at: .zero, .mark("a\0b"))], first: 0))
    try database.store(session.collected([session.begin, message]), in: &store)
    #expect(try database.connection.run("SELECT text FROM mark").text(0, 0) == "a\u{FFFD}b")
    #expect(try database.events(session).first?.event.kind == .mark("a\0b"))
  }

  @Test func quotasAddUp() {
    for count in 1...10 {
      let ids = (0..<count).map { "c\($0)" }
      #expect(ids.map { CollectorMembership.quota($0, among: ids) }.reduce(0, +) == FleetSubject.partitions)
    }
  }

  @Test func dumpsCanBeRestored() throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected(session.messages(size: 256)), in: &store)
    let copy = try PostgreSQLServer.shared.get().database()
    let script =
      "\(PostgreSQLServer.programs)/pg_dump -Fc '\(database.url)' | \(PostgreSQLServer.programs)/pg_restore -e -d '\(copy)'"
    let program = try Program("/bin/bash", ["-o", "pipefail", "-c", script])
    #expect(try program.waitForExit() == .exited(0), "\(program.standardError)")
    let restored = try QueryStore(copy)
    #expect(try restored.digest(session) == database.digest(session))
    #expect(try restored.measurements(session) == session.measurements)
    #expect(try FleetDatabase.migrate(copy) == [])
  }
}
