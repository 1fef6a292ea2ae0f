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
  /// Reads pages, so that memory use does not depend on the number of measurements and no lock is held while `body` runs.
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

  /// The measurement with the number `id` and its session. Nil if it does not exist, or is not of `profile`, if given.
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
