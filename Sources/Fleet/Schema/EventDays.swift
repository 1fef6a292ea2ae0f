internal import HeartRate

/// The partitions of `event`, `beat` and `measurement`, one per UTC day, named `event_20261123`.
enum EventDays {
  static let tables = ["event", "beat", "measurement"]

  /// The key of the advisory lock of changes of partitions: "STRMDAYS".
  private static let lockKey: Int64 = 0x5354_524D_4441_5953

  /// Whether the partitions of a day exist. One transaction creates all of them.
  static func exist(_ day: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    try exists("measurement_\(suffix(day))", connection)
  }

  /// Creates the partitions of a day, in its own transaction. ATTACH does not block queries, unlike CREATE ... PARTITION OF.
  /// - Parameters:
  ///   - day: Days since 1970-01-01.
  ///   - isPermitted: Called within the transaction unless the partitions exist. Other transactions of this kind wait meanwhile.
  /// - Returns: Whether the partitions exist.
  @discardableResult
  static func create(
    _ day: Int64, _ connection: PostgreSQLConnection,
    isPermitted: () throws(PostgreSQLError) -> Bool = { () throws(PostgreSQLError) in true }
  ) throws(PostgreSQLError) -> Bool {
    let (name, date, next) = (suffix(day), text(day), text(day + 1))
    return try connection.transaction { () throws(PostgreSQLError) in
      try connection.run("SELECT pg_advisory_xact_lock($1)", [.integer(lockKey)])
      if try exist(day, connection) { return true }
      guard try isPermitted() else { return false }
      for table in tables {
        let partition = "\(table)_\(name)"
        try connection.execute(
          """
          CREATE TABLE \(partition) (LIKE \(table) INCLUDING ALL);
          ALTER TABLE \(partition) ADD CONSTRAINT day CHECK (day >= '\(date)' AND day < '\(next)');
          ALTER TABLE \(table) ATTACH PARTITION \(partition) FOR VALUES FROM ('\(date)') TO ('\(next)');
          ALTER TABLE \(partition) DROP CONSTRAINT day;
          """)
      }
      return true
    }
  }

  static func exists(_ table: String, _ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    try connection.run("SELECT to_regclass($1) IS NOT NULL", [.text("\(FleetSchema.name).\(table)")]).boolean(
      0, 0)
  }

  /// Drops the partitions of a day, within a transaction of the caller.
  static func drop(_ day: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run("SELECT pg_advisory_xact_lock($1)", [.integer(lockKey)])
    for table in tables { try connection.execute("DROP TABLE IF EXISTS \(table)_\(suffix(day))") }
  }

  /// Deletes the rows of sessions that `condition` selects by `day` and `session`, within a transaction of the caller.
  /// - Returns: The number of events.
  @discardableResult
  static func deleteRows(
    where condition: String, _ values: [PostgreSQLValue], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int64 {
    var events = 0
    for table in tables {
      let deleted = try connection.run("DELETE FROM \(table) WHERE \(condition)", values).changedRows
      if table == "event" { events = deleted }
    }
    return Int64(events)
  }

  /// `20261123`
  static func suffix(_ day: Int64) -> String { text(day).filter { $0 != "-" } }

  /// `2026-11-23`
  static func text(_ day: Int64) -> String {
    let time = SessionDay.start(day).rfc3339
    return String(time.prefix { $0 != "T" })
  }
}
