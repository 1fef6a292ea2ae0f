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

  /// The last event of the range that contains `sequence`; nil if that event was not deleted.
  static func end(
    of sequence: Int64, number: Int64, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int64? {
    let result = try connection.run(
      "SELECT max(last) FROM deleted_range WHERE session = $1 AND last >= $2 AND first <= $2",
      [.integer(number), .integer(sequence)])
    return result.integerOrNil(0, 0)
  }
}
