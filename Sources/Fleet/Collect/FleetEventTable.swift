internal import HeartRate

/// The table `event`.
enum FleetEventTable {
  /// Number of events that are read at a time.
  static let pageSize: Int64 = 2000

  /// Stores events that are not stored yet. The first version of an event is kept.
  static func insert(_ rows: ColumnSet, _ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int {
    guard rows.count > 0 else { return 0 }
    return try connection.run(
      """
      INSERT INTO event (day, session, sequence, ticks, wall_us, kind, payload)
      SELECT date '1970-01-01' + d::int, s, q, t, w, k::smallint, p
      FROM unnest(\(rows.parameters)) AS x (d, s, q, t, w, k, p) ON CONFLICT DO NOTHING
      """, rows.values
    ).changedRows
  }

  static func newRows() -> ColumnSet {
    ColumnSet([.integer, .integer, .integer, .integer, .integer, .integer, .bytes])
  }

  static func row(_ event: CollectedEvent, number: Int64, day: Int64) -> [PostgreSQLValue] {
    [
      .integer(day), .integer(number), .integer(event.sequence), .integer(event.event.at.ticks),
      .integer(event.event.wall?.microseconds), .integer(StoredEventCode.kind(event.event)),
      .bytes(StoredEventCode.payload(event.event)),
    ]
  }

  /// Up to `limit` events from the sequence number `first` on, in order. Sequence numbers may be missing.
  static func page(
    day: Int64, session: Int64, from first: Int64, limit: Int64 = pageSize, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [CollectedEvent] {
    let result = try connection.run(
      """
      SELECT sequence, ticks, wall_us, kind, payload FROM event
      WHERE day = date '1970-01-01' + $1::int AND session = $2 AND sequence >= $3 ORDER BY sequence LIMIT $4
      """, [.integer(day), .integer(session), .integer(first), .integer(limit)])
    var events: [CollectedEvent] = []
    for row in 0..<result.count {
      let event = try StoredEventCode.event(
        kind: result.integer(row, 3), ticks: result.integer(row, 1), wall: result.integerOrNil(row, 2),
        payload: result.bytes(row, 4))
      events.append(CollectedEvent(sequence: result.integer(row, 0), event: event))
    }
    return events
  }
}

/// The table `deleted_range`: events that a receiver deleted before they were published.
enum DeletedRanges {
  static func insert(
    _ ranges: [ClosedRange<Int64>], number: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    for range in ranges {
      try connection.run(
        "INSERT INTO deleted_range (session, first, last) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [.integer(number), .integer(range.lowerBound), .integer(range.upperBound)])
    }
  }

  /// The last event of the deleted range that contains `sequence`. `nil` means that the event was not deleted.
  static func end(
    of sequence: Int64, number: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int64? {
    let result = try connection.run(
      "SELECT max(last) FROM deleted_range WHERE session = $1 AND last >= $2 AND first <= $2",
      [.integer(number), .integer(sequence)])
    return result.integerOrNil(0, 0)
  }
}
