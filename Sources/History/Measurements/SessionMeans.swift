internal import GRDB
package import Stress

/// The means of the stored measurements of one session. A value that no measurement has is nil.
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
      let condition = filter.sessionCondition(profile)
      let statement = try RawStatement(
        db,
        """
        SELECT s.id, count(*), max(m.is_reading), avg(iif(\(isStated), m.stress, NULL)), avg(m.rmssd_ms),
          avg(m.mean_hr_bpm), min(m.stress_range_low), max(m.stress_range_high), \(counts)
        FROM session s JOIN measurement m ON m.session = s.number WHERE \(condition.sql) GROUP BY s.number
        """, condition.arguments(with: HistoryFilter.statesLevel("m").arguments))
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

  private var isStated: String { "m.stress IS NOT NULL AND \(HistoryFilter.statesLevel("m").sql)" }

  private var counts: String {
    StressCategory.allCases.map { "total(\(isStated) AND m.category = '\($0.rawValue)')" }.joined(
      separator: ", ")
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
