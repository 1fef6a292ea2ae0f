import Glibc
package import History
package import Stress

/// A morning or a night relative to those before it: normal range, seven-day mean and what is still missing for them.
package struct MorningAssessment {
  package let day: Int
  /// RMSSD of the morning in ms.
  package let rmssd: Double
  /// Requires enough history.
  package let normal: NormalRange?
  /// Requires enough mornings in the seven days.
  package let week: MorningWeek?
  /// Whether the last three mornings are clearly lower than usual. Unknown with too little history.
  package let isLow: Bool?
  /// Number of recent mornings that do not count for the range, because they differ too much from the others.
  package let outliers: Int
  /// The smallest ratio of two readings that exceeds their usual variation in 19 of 20 cases, from the standard deviation s of the
  /// recent readings: exp(1.96 sqrt(2) s). Requires the normal range.
  package let smallestDetectableRatio: Double?
  /// Number of further mornings that the normal range requires; 0 if it is known.
  package let missingForRange: Int

  /// - Parameter series: the mornings up to `day`, which need not contain it.
  package init(rmssd: Double, on day: Int, in series: MorningSeries) {
    (self.day, self.rmssd) = (day, rmssd)
    normal = NormalRange(series, on: day)
    week = series.week(through: day)
    isLow = series.isLow(through: day)
    let recent = series.recent(before: day).count
    let earlier = series.reference(before: day)?.count ?? recent
    outliers = recent - earlier
    let deviation = normal == nil ? nil : series.reference(before: day)?.deviation
    smallestDetectableRatio = deviation.map { exp(1.96 * 2.0.squareRoot() * $0) }
    missingForRange = normal == nil ? MorningSeries.leastForRange - earlier : 0
  }

  /// The score and its words, if there is a normal range.
  package var verdict: MorningVerdict? { normal.map { MorningVerdict(rmssd, in: $0) } }

  package var position: NormalRange.Position? { normal?.position(rmssd) }

  /// The first day of the successive mornings in the position of this one, if there is a normal range.
  package var since: Int? { position.flatMap { normal?.since($0) } }
}

extension HistoryReader {
  /// The counted mornings in `posture` that the statistics of `day` need, without those after `day`.
  package func morningSeries(of profile: String, _ posture: MorningPosture, through day: Int)
    throws(HistoryError) -> MorningSeries
  {
    let first = day - MorningSeries.recentDays - 6
    return MorningSeries(try countedMornings(of: profile, in: first..<day + 1), posture: posture)
  }

  /// The normal range of RMSSD of a minute at rest on `day`, if there are enough days with rest.
  package func restingRange(of profile: String, on day: Int) throws(HistoryError) -> NormalRange? {
    try baselineEvidence(of: profile, today: day).flatMap { NormalRange($0) }
  }

  /// The normal range of `metric` of a minute at rest on `day`, in ms.
  package func restingRange(of profile: String, _ metric: HRVMetric, on day: Int) throws(HistoryError)
    -> ClosedRange<Double>?
  {
    try baselineEvidence(of: profile, today: day)?.normalRange(metric)
  }
}
