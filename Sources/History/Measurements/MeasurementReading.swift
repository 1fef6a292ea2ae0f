internal import GRDB
package import HeartRate

extension HistoryReader {
  /// The newest measurements of `profile` that match `filter`, newest first.
  package func latestMeasurements(
    of profile: String, matching filter: HistoryFilter = HistoryFilter(), limit: Int
  ) throws(HistoryError) -> [StoredMeasurement] {
    try read { try MeasurementTable.latest($0, profile: profile, filter, limit: limit) }
  }

  /// Calls `body` with each measurement of `profile` that matches `filter`, by time.
  ///
  /// Reads pages: memory use does not depend on the number of measurements, and no lock is held while `body` runs.
  /// - Throws: ``HistoryError``, or the error of `body`.
  package func forEachMeasurement(
    of profile: String, matching filter: HistoryFilter, _ body: (StoredMeasurement) throws -> Void
  ) throws {
    var last: StoredMeasurement?
    while true {
      let page = try read {
        try MeasurementTable.page($0, profile: profile, filter, after: last, limit: Self.pageSize)
      }
      for measurement in page { try body(measurement) }
      guard page.count == Self.pageSize else { return }
      last = page.last
    }
  }

  private static let pageSize = 512

  /// The measurements of `profile` within `times`, by time.
  package func measurements(of profile: String, in times: Range<WallTime>) throws(HistoryError)
    -> [StoredMeasurement]
  {
    try read {
      try MeasurementTable.page(
        $0, profile: profile, HistoryFilter(times: times), after: nil, limit: .max)
    }
  }

  /// The measurement with the number `id` and its session, if it exists and is of `profile` (by default, of any profile).
  package func measurement(_ id: Int64, of profile: String? = nil) throws(HistoryError) -> (
    measurement: StoredMeasurement, session: StoredSession
  )? {
    try read { db in
      guard let measurement = try MeasurementTable.measurement(db, id, of: profile),
        let session = try SessionRecord.beginning(db, with: measurement.session.text, of: profile).first
      else { return nil }
      return (measurement, session)
    }
  }
}

extension HistoryReader {
  /// The times of the readings of a session of `measure`, whose other measurements are not stored. Returns `nil` if the
  /// measurements of the session are sampled, if it is running, or if it does not exist.
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
