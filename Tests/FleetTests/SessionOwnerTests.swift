import HeartRate
import History
import TestSupport
import Testing

@testable import Fleet

/// A session belongs to the sender of its first message in the stream, in whatever order the messages are processed.
@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct SessionOwnerTests {
  private let database: QueryStore
  private let session = CollectedSession("P01")

  init() throws { database = try QueryStore() }

  /// Messages of another receiver for the session, with events, results, a deleted range and an end.
  private func claim(from first: Int64) -> [CollectedMessage] {
    var deleted = session.message(200..<210)
    deleted.deletedFrom = 160
    let parts = [session.begin, session.message(0..<160), deleted, session.end]
    return session.collected(parts, from: first, receiver: "R2")
  }

  private func owner() throws -> String {
    try database.connection.run("SELECT r.code FROM session s JOIN receiver r ON r.number = s.receiver").text(
      0, 0)
  }

  /// The stored rows equal those of a database that contains only the messages of the owner.
  private func expectOnlyTheOwnersRows() throws {
    let reference = try QueryStore()
    var expected = PartitionStore(try reference.lease())
    try reference.store(session.collected(session.messages(size: 100)), in: &expected)
    #expect(try database.digest(session) == reference.digest(session))
    for table in [
      "session", "event", "beat", "measurement", "gap", "mark", "link_change", "minute", "deleted_range",
    ] {
      #expect(try database.count(table) == reference.count(table), "\(table)")
    }
    #expect(try owner() == "R1")
  }

  /// A collector fetches the first messages and fails; another one stores later, forged messages before they are delivered again.
  @Test(arguments: [true, false]) func anEarlierMessageReplacesAClaim(isCached: Bool) throws {
    let lease = try database.lease()
    var store = PartitionStore(lease)
    try database.store(claim(from: 60), in: &store)
    #expect(try owner() == "R2")
    if !isCached { store = PartitionStore(try database.leaseAgain()) }
    let outcome = try database.store(session.collected(session.messages(size: 100)), in: &store)
    #expect(outcome.rejected == 1 && outcome.events == session.events.count)
    try expectOnlyTheOwnersRows()
    let rejected = try database.connection.run("SELECT stream_sequence, subject, reason FROM rejected")
    #expect(rejected.count == 1 && rejected.integer(0, 0) == 60)
    #expect(rejected.text(0, 1) == "lab.sleep.R2.P01.\(session.subject.strap).\(lease.partition)")
    #expect(
      rejected.text(0, 2)
        == "the session \(session.id) belongs to the receiver R1, of whom an earlier message was processed later"
    )
    #expect(try database.store(claim(from: 60), in: &store).rejected == 4)
    try expectOnlyTheOwnersRows()
  }

  /// The consumer skipped the first messages of the owner. The rejection of later ones is the occasion to read them from the stream.
  @Test(arguments: [true, false]) func aClaimConflictsWithLaterMessagesOfTheOwner(isOneBatch: Bool) throws {
    var store = PartitionStore(try database.lease())
    let messages = session.collected(session.messages(size: 100))
    let (claim, later) = (
      claim(from: 3), session.collected(Array(session.messages(size: 100).dropFirst(2)), from: 60)
    )
    let outcome: PartitionStore.Outcome
    if isOneBatch {
      outcome = try database.store(claim + later, in: &store)
    } else {
      #expect(try database.store(claim, in: &store).conflicts == [])
      outcome = try database.store(later, in: &store)
    }
    let conflict = SessionConflict(
      session: session.id, receiver: CollectedSession.receiver, participant: session.participant,
      claimed: claim[0].published)
    #expect(outcome.conflicts == [conflict] && outcome.rejected == later.count)
    #expect(try owner() == "R2")
    #expect(try database.store(messages, in: &store).conflicts == [])
    try expectOnlyTheOwnersRows()
  }

  /// The collector of the other partition still has the claimed session in memory.
  @Test func aClaimFromAnotherPartitionIsReplaced() throws {
    var other = PartitionStore(try database.lease())
    var claim = claim(from: 60)
    let last = claim.removeLast()
    try database.store(claim, in: &other)
    var store = PartitionStore(try database.lease())
    try database.store(session.collected(session.messages(size: 100)), in: &store)
    let error = #expect(throws: PostgreSQLError.self) { try database.store(claim, in: &other) }
    #expect(error?.reaction == .retry)
    #expect(try database.store(claim + [last], in: &other).rejected == 4)
    try expectOnlyTheOwnersRows()
  }

  /// The transaction of another partition lowered the first message of the session after this one read it.
  @Test func aSessionThatWasChangedIsNotReplaced() throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected(session.messages(size: 100), from: 50), in: &store)
    var other = PartitionStore(try database.lease())
    #expect(try database.store(claim(from: 60), in: &other).rejected == 4)
    try database.store(session.collected([session.begin], from: 10), in: &store)
    let error = #expect(throws: PostgreSQLError.self) {
      try database.store(claim(from: 40), in: &other)
    }
    #expect(error?.reaction == .retry)
    #expect(try database.store(claim(from: 40), in: &other).rejected == 4)
    try expectOnlyTheOwnersRows()
  }

  @Test func theFirstMessageOfABatchOwnsTheSession() throws {
    var store = PartitionStore(try database.lease())
    let messages = claim(from: 60) + session.collected(session.messages(size: 100))
    #expect(try database.store(messages, in: &store).rejected == 4)
    try expectOnlyTheOwnersRows()
  }

  @Test func earlierMessagesOfTheOwnerCount() throws {
    var store = PartitionStore(try database.lease())
    let messages = session.collected(session.messages(size: 100))
    try database.store(Array(messages.dropFirst(2)), in: &store)
    try database.store(Array(messages.prefix(2)), in: &store)
    store = PartitionStore(try database.leaseAgain())
    #expect(try database.store(claim(from: 2), in: &store).rejected == 4)
    try expectOnlyTheOwnersRows()
  }

  /// A new stream begins with the number 1 again, and sessions of schema version 4 have no first message.
  @Test(arguments: [true, false]) func numbersOfAnotherStreamAreNotCompared(isOtherStream: Bool) throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected(session.messages(size: 100), from: 100), in: &store)
    var claim = claim(from: 1)
    if isOtherStream {
      for index in claim.indices {
        claim[index].published = claim[index].published.advanced(ticks: 80_000_000)
      }
    } else {
      try database.connection.run("UPDATE session SET first_stream_sequence = NULL, first_published = NULL")
      store = PartitionStore(try database.leaseAgain())
    }
    #expect(try database.store(claim, in: &store).rejected == 4)
    try expectOnlyTheOwnersRows()
  }

  /// Replicas of a stream can differ, so two messages can have one number.
  @Test func rejectedMessagesDifferByTheirIDs() throws {
    var store = PartitionStore(try database.lease())
    try database.store(session.collected([session.begin]), in: &store)
    var forged = Array(repeating: claim(from: 60)[1], count: 2)
    forged[1].headers[FleetMessage.HeaderName.id]? += "/2"
    for _ in 1...2 { for message in forged { try database.store([message], in: &store) } }
    #expect(try database.count("rejected") == 2)
  }
}
