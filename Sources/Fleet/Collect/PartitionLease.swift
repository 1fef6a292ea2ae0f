internal import HeartRate

/// Where the collection of a partition begins again, because PostgreSQL may not contain what collectors have acknowledged.
enum ReplayStart: Equatable, Sendable {
  /// PostgreSQL has never stored a message of the partition: it is new, or was created again.
  case beginning
  /// No collector owned the partition for more than a minute: PostgreSQL may have been restored from a backup of that time.
  /// Or messages of a later format were deferred, and this version reads them.
  case time(WallTime)

  /// The position in the stream.
  var position: JetStream.ConsumerStart {
    switch self {
    case .beginning: .beginning
    case .time(let time): .time(max(0, time.microseconds) * 1000)
    }
  }
}

/// The right to process a partition of a study, as a row of `partition_lease`.
///
/// Each transaction of the owner renews the lease, and fails if another collector took it over after it expired. The row
/// stays locked until the transaction ends. A collector that was paused can therefore not commit afterwards.
struct PartitionLease: Equatable, Sendable {
  var study: Int64
  var partition: Int
  var owner: String
  /// Incremented by each change of the owner.
  var epoch: Int64
  /// Where to begin. By default, collection continues where the last owner stopped.
  var replay: ReplayStart?
  /// The lowest later format among deferred messages.
  var deferredFormat: Int?

  /// Seconds after which another collector may take over the partition.
  static let duration = 5

  /// Renews the lease within a transaction.
  /// - Parameter streamSequence: The position in the stream of the last message that the transaction stores; 0 for none.
  func renew(_ connection: PostgreSQLConnection, streamSequence: Int64 = 0) throws(PostgreSQLError) {
    try update(
      """
      expires = clock_timestamp() + interval '\(Self.duration) s', stream_sequence = greatest(stream_sequence, $5)
      """, [.integer(streamSequence)], connection)
  }

  /// Records where the stream has to be read again, until ``finishReplay(_:)``.
  func recordReplay(from start: ReplayStart, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    switch start {
    case .beginning: try update("replay_from = '-infinity'", [], connection)
    case .time(let time): try update("replay_from = least(replay_from, $5)", [.time(time)], connection)
    }
  }

  /// Records that the stream was read again from the recorded start on.
  func finishReplay(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try update("replay_from = NULL", [], connection)
  }

  /// Records messages of a later format, within a transaction. A version that reads the format begins again at the first of them.
  func deferMessages(
    format: Int, since: WallTime, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    try update(
      "deferred_format = least(deferred_format, $5::int), deferred_since = least(deferred_since, $6)",
      [.integer(Int64(Int32(clamping: format))), .time(since)], connection)
  }

  /// Ends the lease. Another collector can take it over at once.
  func release(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try update("owner = NULL, expires = clock_timestamp()", [], connection)
  }

  private func update(
    _ assignments: String, _ values: [PostgreSQLValue], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    let result = try connection.run(
      """
      UPDATE partition_lease SET \(assignments) WHERE study = $1 AND partition = $2 AND owner = $3 AND epoch = $4
      """,
      [.integer(study), .integer(Int64(partition)), .text(owner), .integer(epoch)] + values)
    guard result.changedRows == 1 else {
      throw PostgreSQLError(
        state: PostgreSQLError.PrivateState.lostLease, "another collector took over partition \(partition)")
    }
  }
}
