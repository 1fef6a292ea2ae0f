import HeartRate
import Testing

@testable import Fleet

@Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL 15 is not installed"))
struct PartitionLeaseTests {
  private let database: QueryStore

  init() throws { database = try QueryStore() }

  /// Ends the lease as if its owner had not renewed it for `age`.
  private func expire(_ age: String) throws {
    try database.connection.run(
      "UPDATE partition_lease SET owner = NULL, expires = clock_timestamp() - $1::interval WHERE partition = 0",
      [.text(age)])
  }

  @Test func aNewPartitionBeginsWithTheStream() throws {
    let lease = try database.lease()
    #expect(lease.replay == .beginning)
    // The replay is repeated until it has been done.
    try expire("0 s")
    #expect(try database.lease().replay == .beginning)
  }

  @Test func anotherCollectorContinues() throws {
    try database.lease().finishReplay(database.connection)
    for age in ["0 s", "59 s"] {
      try expire(age)
      #expect(try database.lease().replay == nil, "\(age)")
    }
  }

  @Test func aPartitionWithoutOwnerIsReadAgain() throws {
    try database.lease().finishReplay(database.connection)
    let expired = SystemTime.now(database) - 3600 * 1_000_000
    try expire("1 hour")
    guard case .time(let time)? = try database.lease().replay else {
      Issue.record("no replay")
      return
    }
    #expect((time.microseconds - (expired - 600 * 1_000_000)).magnitude < 60 * 1_000_000)
  }

  @Test func deferredMessagesAreReadByAVersionThatKnowsTheirFormat() throws {
    let lease = try database.lease()
    try lease.finishReplay(database.connection)
    let first = WallTime(microseconds: 1_795_000_000_000_000)
    let later = FleetMessage.format + 1
    try lease.deferMessages(
      format: later + 1, since: first.advanced(ticks: 80_000_000), database.connection)
    try lease.deferMessages(format: later, since: first, database.connection)
    try lease.release(database.connection)
    let other = try database.lease()
    #expect(other.replay == nil && other.deferredFormat == later)
    try other.release(database.connection)
    try database.connection.run(
      "UPDATE partition_lease SET deferred_format = $1::int", [.integer(Int64(FleetMessage.format))])
    let newer = try database.lease()
    #expect(newer.replay == .time(first) && newer.deferredFormat == nil)
  }
}

private enum SystemTime {
  /// Microseconds since 1970.
  static func now(_ database: QueryStore) -> Int64 {
    (try? database.connection.run("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint").integer(
      0, 0)) ?? 0
  }
}
