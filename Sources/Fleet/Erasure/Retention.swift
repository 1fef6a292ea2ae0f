internal import Localization

/// Removes old sessions from PostgreSQL, whole days at a time, and old rejected messages.
package enum Retention {
  /// Removes each day of sessions that is older than `days` days by the clock of PostgreSQL, and whose sessions were all
  /// received before that time: a receiver with a wrong clock does not lose new data.
  /// - Returns: The days that were removed, such as `2026-11-23`.
  package static func expire(olderThan days: Int, _ database: PostgreSQLURL) throws(FleetError) -> [String] {
    let connection = try FleetDatabase.prepared(database)
    do throws(PostgreSQLError) {
      let result = try connection.run(
        """
        SELECT day - date '1970-01-01' FROM session GROUP BY day
        HAVING day < current_date - $1::int AND max(updated) < now() - $1::int * interval '1 day' ORDER BY day
        """, [.integer(Int64(days))])
      let expired = (0..<result.count).map { result.integer($0, 0) }
      for day in expired { try remove(day, connection) }
      try connection.run(
        "DELETE FROM rejected WHERE received < now() - $1::int * interval '1 day'", [.integer(Int64(days))])
      return expired.map { EventDays.text($0) }
    } catch {
      throw FleetError(
        .database, Phrase("cannot remove sessions older than \(days) days: \(error.description)"))
    }
  }

  private static func remove(_ day: Int64, _ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.transaction { () throws(PostgreSQLError) in
      try EventDays.drop(day, connection)
      try connection.run("DELETE FROM session WHERE day = date '1970-01-01' + $1::int", [.integer(day)])
    }
  }
}
