internal import GRDB
package import HeartRate

extension HistoryReader {
  /// The times of the readings of a session of `measure`, whose other measurements are not stored. Nil for a session whose
  /// measurements are sampled, and for one that is running or does not exist.
  ///
  /// An ended session without measurements has no readings: a session that is sampled with the same events has none either, or
  /// its reading was not completed.
  package func readings(of session: SessionID) throws(HistoryError) -> [SessionTime]? {
    try read { db in
      try SessionRecord.number(db, of: session).flatMap { try ReadingTimes.stored(db, session: $0) }
    }
  }
}

enum ReadingTimes {
  /// The result of ``HistoryReader/readings(of:)``.
  /// - Parameter number: Number of the session.
  static func stored(_ db: Database, session number: Int64) throws -> [SessionTime]? {
    let readings = try Int64.fetchAll(
      db.statement(
        "SELECT ticks FROM measurement WHERE session = :number AND is_reading ORDER BY id", ["number": number]
      ))
    guard try !readings.isEmpty || hasEndedWithoutMeasurements(db, number) else { return nil }
    return readings.map { SessionTime(ticks: $0) }
  }

  private static func hasEndedWithoutMeasurements(_ db: Database, _ number: Int64) throws -> Bool {
    let statement = try db.statement(
      """
      SELECT outcome IS NOT NULL AND NOT EXISTS (SELECT 1 FROM measurement WHERE session = :number)
      FROM session WHERE number = :number
      """, ["number": number])
    return try Bool.fetchOne(statement) ?? false
  }
}
