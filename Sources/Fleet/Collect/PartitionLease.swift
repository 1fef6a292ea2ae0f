/// The right to process a partition of a study, as a row of `partition_lease`.
///
/// Each transaction of the owner renews the lease, and fails if another collector took it over after it expired. The row stays locked
/// until the transaction ends, so that a collector that was paused cannot commit afterwards.
struct PartitionLease: Equatable, Sendable {
  var study: Int64
  var partition: Int
  var owner: String
  /// Incremented by each change of the owner.
  var epoch: Int64

  /// Seconds after which another collector may take over the partition.
  static let duration = 5

  /// The private SQLSTATE of a lost lease.
  static let lostState = "SM002"

  /// Renews the lease within a transaction.
  /// - Parameter streamSequence: The position in the stream of the last message that the transaction stores; 0 for none.
  func renew(_ connection: PostgreSQLConnection, streamSequence: Int64 = 0) throws(PostgreSQLError) {
    let result = try connection.run(
      """
      UPDATE partition_lease SET expires = clock_timestamp() + interval '\(Self.duration) s',
        stream_sequence = greatest(stream_sequence, $5)
      WHERE study = $1 AND partition = $2 AND owner = $3 AND epoch = $4
      """,
      [.integer(study), .integer(Int64(partition)), .text(owner), .integer(epoch), .integer(streamSequence)])
    guard result.changedRows == 1 else {
      throw PostgreSQLError(state: Self.lostState, "another collector took over partition \(partition)")
    }
  }

  /// Ends the lease, so that another collector can take it over at once.
  func release(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run(
      """
      UPDATE partition_lease SET owner = NULL, expires = '-infinity'
      WHERE study = $1 AND partition = $2 AND owner = $3 AND epoch = $4
      """, [.integer(study), .integer(Int64(partition)), .text(owner), .integer(epoch)])
  }
}
