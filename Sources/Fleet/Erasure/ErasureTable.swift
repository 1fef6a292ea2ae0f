/// The table `erasure`: the participants whose data were removed and are not stored again.
enum ErasureTable {
  /// The key of the advisory lock of erasures, together with the study: "ERAS".
  private static let lockKey: Int64 = 0x4552_4153

  /// Returns those of `participants` that are erased. No participant is erased until the transaction ends.
  static func erased(
    among participants: [FleetCode], study: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Set<FleetCode> {
    try connection.run(
      "SELECT pg_advisory_xact_lock_shared($1::int, $2::int)", [.integer(lockKey), .integer(study)])
    var codes = PostgreSQLArray(.text)
    for code in Set(participants) { codes.append(.text(code.text)) }
    let result = try connection.run(
      "SELECT participant FROM erasure WHERE study = $1 AND participant = ANY ($2)",
      [.integer(study), .array(codes)])
    return Set((0..<result.count).compactMap { FleetCode(result.text($0, 0)) })
  }

  /// Waits for the transactions of collectors, and delays new ones until the transaction ends.
  static func lock(study: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run(
      "SELECT pg_advisory_xact_lock($1::int, $2::int)", [.integer(lockKey), .integer(study)])
  }
}
