internal import GRDB
package import Stress

/// The means of the stored measurements of one session. A mean is absent if no measurement has the value.
package struct SessionMeans: Equatable, Sendable {
  /// The number of measurements.
  package var count = 0
  /// Whether it is the session of one reading.
  package var isReading = false
  /// The mean of the stress values that are stated, 0 to 100.
  package var stress: Double?
  /// The range of the stress value of a reading.
  package var range: ClosedRange<Double>?
  /// In ms.
  package var rmssd: Double?
  /// In bpm.
  package var heartRate: Double?
  /// The number of stress values in each category, in the order of `StressCategory.allCases`.
  var categories = [Int](repeating: 0, count: StressCategory.allCases.count)

  package init() {}

  /// The number of stated stress values in `category`.
  package subscript(category: StressCategory) -> Int {
    StressCategory.allCases.firstIndex(of: category).map { categories[$0] } ?? 0
  }
}

extension HistoryReader {
  /// The means of each session of `profile` that matches `filter`; sessions without measurements are omitted. Computed by SQLite,
  /// because a day has thousands of measurements.
  package func sessionMeans(
    of profile: String, matching filter: HistoryFilter
  ) throws(HistoryError) -> [SessionID: SessionMeans] {
    try read { db in
      let (condition, level) = (filter.sessionCondition(profile), HistoryFilter.statesLevel("m"))
      // The LIMIT makes SQLite evaluate the condition of a level once for each row.
      let statement = try RawStatement(
        db,
        """
        SELECT (SELECT id FROM session WHERE number = session), count(*), max(is_reading), avg(level), avg(rmssd_ms),
          avg(mean_hr_bpm), min(stress_range_low), max(stress_range_high), \(counts)
        FROM (SELECT m.session, m.is_reading, m.rmssd_ms, m.mean_hr_bpm, m.stress_range_low, m.stress_range_high,
            iif(\(level.sql), m.stress, NULL) AS level, iif(\(level.sql), m.category, NULL) AS category
          FROM measurement m WHERE m.session IN (SELECT s.number FROM session s WHERE \(condition.sql)) LIMIT -1)
        GROUP BY session
        """, condition.arguments(with: level.arguments))
      return try statement.reduce(into: [:]) { means, row in
        means[SessionID(stored: row.text(Column.id))] = self.means(row)
      }
    }
  }

  private enum Column: CInt {
    case id
    case count
    case isReading
    case stress
    case rmssd
    case heartRate
    case rangeLow
    case rangeHigh
    case relaxed
    case mild
    case moderate
    case high
  }

  private var counts: String {
    StressCategory.allCases.map { "total(category = '\($0.rawValue)')" }.joined(separator: ", ")
  }

  private func means(_ row: RawRow) -> SessionMeans {
    var means = SessionMeans()
    means.count = Int(row.integer(Column.count))
    means.isReading = means.count == 1 && row.integer(Column.isReading) != 0
    (means.stress, means.rmssd) = (row.realOrNil(Column.stress), row.realOrNil(Column.rmssd))
    means.heartRate = row.realOrNil(Column.heartRate)
    if means.isReading, let low = row.realOrNil(Column.rangeLow), let high = row.realOrNil(Column.rangeHigh),
      low <= high
    {
      means.range = low...high
    }
    means.categories = [Column.relaxed, .mild, .moderate, .high].map { Int(row.real($0)) }
    return means
  }
}
