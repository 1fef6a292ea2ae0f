import History
import Testing

@testable import Fleet

/// Sessions of which the user deleted events before they were published.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct DeletedEventsTests {
  private let database: QueryStore
  private let session = CollectedSession("P01")

  init() throws { database = try QueryStore() }

  private func store(_ messages: [FleetMessage], in store: inout PartitionStore) throws {
    let messages = session.collected(messages)
    let batch = CollectedBatch(messages, study: CollectedSession.study)
    #expect(try store.store(batch, messages, database.connection).rejected == 0)
  }

  /// The messages of the session without the events 50 to 99.
  private var messages: [FleetMessage] {
    var after = session.message(100..<session.events.count)
    after.deletedFrom = 50
    return [session.begin, session.message(0..<50), after, session.end]
  }

  private func next() throws -> Int64 {
    try database.connection.run("SELECT next FROM session").integer(0, 0)
  }

  @Test func theEngineContinuesAfterThem() throws {
    var store = PartitionStore(try database.lease())
    try self.store(messages, in: &store)
    #expect(try next() == Int64(session.events.count))
    #expect(try database.count("event") == Int64(session.events.count - 50))
  }

  @Test(arguments: [[0, 2, 1, 3], [2, 0, 3, 1], [3, 2, 1, 0]])
  func rowsDoNotDependOnTheOrder(_ order: [Int]) throws {
    let reference = try QueryStore()
    var expected = PartitionStore(try reference.lease())
    let ordered = session.collected(messages)
    _ = try expected.store(
      CollectedBatch(ordered, study: CollectedSession.study), ordered, reference.connection)
    for position in order {
      var store = PartitionStore(try database.leaseAgain())
      try self.store([messages[position]], in: &store)
    }
    #expect(try database.digest(session) == reference.digest(session))
    #expect(try database.measurements(session) == reference.measurements(session))
  }

  @Test func aCollectorThatTakesOverRestoresTheEngine() throws {
    var store = PartitionStore(try database.lease())
    try self.store(Array(messages.dropLast()), in: &store)
    store = PartitionStore(try database.leaseAgain())
    try self.store([session.end], in: &store)
    #expect(try next() == Int64(session.events.count))
  }

  @Test func theSessionIsExportedWithoutThem() throws {
    var store = PartitionStore(try database.lease())
    try self.store(messages, in: &store)
    let archive = try FleetArchive(database.url)
    let entry = try #require(
      try archive.sessions(of: [session.participant], in: CollectedSession.study).first)
    #expect(entry.waiting == 0)
    #expect(
      try archive.session(entry).events == Array(session.events[..<50] + session.events[100...]))
  }
}
