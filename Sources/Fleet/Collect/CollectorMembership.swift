internal import Glibc
internal import HeartRate

/// The row of a collector in `collector`, and the division of the partitions among the collectors that are alive.
struct CollectorMembership: Sendable {
  let study: Int64
  /// Unique for each start of a collector.
  let id: String
  let host: String

  /// The number of partitions that this collector should own.
  ///
  /// The collectors are sorted by their IDs; the first ones own one more if the division has a remainder.
  static func quota(_ id: String, among collectors: [String], partitions: Int = FleetSubject.partitions)
    -> Int
  {
    let sorted = Set(collectors + [id]).sorted()
    let rank = sorted.firstIndex(of: id) ?? 0
    return partitions / sorted.count + (rank < partitions % sorted.count ? 1 : 0)
  }

  /// Reports that this collector is alive.
  /// - Returns: The IDs of all collectors that are alive.
  func renew(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> [String] {
    try connection.run(
      """
      INSERT INTO collector (study, id, host, process, expires)
      VALUES ($1, $2, $3, $4::int, clock_timestamp() + interval '\(PartitionLease.duration) s')
      ON CONFLICT (study, id) DO UPDATE SET expires = excluded.expires
      """, [.integer(study), .text(id), .text(host), .integer(Int64(getpid()))])
    try connection.run("DELETE FROM collector WHERE expires < clock_timestamp() - interval '1 hour'")
    let alive = try connection.run(
      "SELECT id FROM collector WHERE study = $1 AND expires > clock_timestamp()", [.integer(study)])
    return (0..<alive.count).map { alive.text($0, 0) }
  }

  func remove(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run("DELETE FROM collector WHERE study = $1 AND id = $2", [.integer(study), .text(id)])
  }

  /// Takes over one partition that has no owner, if there is one. Rows that a transaction has locked are skipped.
  ///
  /// A partition that had no owner for more than a minute is read again from 10 min before that, in case PostgreSQL was
  /// restored from a backup: repeated messages change nothing.
  func acquire(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> PartitionLease? {
    let result = try connection.run(
      """
      UPDATE partition_lease SET owner = $2, epoch = epoch + 1,
        expires = clock_timestamp() + interval '\(PartitionLease.duration) s',
        replay_from = least(replay_from,
          CASE WHEN expires < clock_timestamp() - interval '1 min' THEN expires - interval '10 min' END,
          CASE WHEN deferred_format <= $3 THEN deferred_since END),
        deferred_since = CASE WHEN deferred_format > $3 THEN deferred_since END,
        deferred_format = CASE WHEN deferred_format > $3 THEN deferred_format END
      WHERE study = $1 AND partition = (
        SELECT partition FROM partition_lease
        WHERE study = $1 AND (owner IS NULL OR expires < clock_timestamp())
        ORDER BY partition LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING partition, epoch, replay_from = '-infinity', nullif(replay_from, '-infinity'), deferred_format::bigint
      """, [.integer(study), .text(id), .integer(Int64(FleetMessage.format))])
    guard result.count == 1 else { return nil }
    let isNew = !result.isNull(0, 2) && result.boolean(0, 2)
    return PartitionLease(
      study: study, partition: Int(result.integer(0, 0)), owner: id, epoch: result.integer(0, 1),
      replay: isNew ? .beginning : result.timeOrNil(0, 3).map(ReplayStart.time),
      deferredFormat: result.integerOrNil(0, 4).map { Int($0) })
  }

  /// Creates the rows of the study and of its partitions.
  /// - Returns: The number of the study.
  static func register(_ study: FleetCode, _ connection: PostgreSQLConnection) throws(PostgreSQLError)
    -> Int64
  {
    // Only missing rows: ON CONFLICT waits for transactions that renew a lease.
    try connection.run(
      "INSERT INTO study (code) SELECT $1 WHERE NOT EXISTS (SELECT FROM study WHERE code = $1) ON CONFLICT DO NOTHING",
      [.text(study.text)])
    let number = try connection.run("SELECT number FROM study WHERE code = $1", [.text(study.text)]).integer(
      0, 0)
    try connection.run(
      """
      INSERT INTO partition_lease (study, partition) SELECT $1::int, number FROM generate_series(0, $2::int - 1) number
      WHERE number NOT IN (SELECT partition FROM partition_lease WHERE study = $1) ON CONFLICT DO NOTHING
      """, [.integer(number), .integer(Int64(FleetSubject.partitions))])
    return number
  }
}
