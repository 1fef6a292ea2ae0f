import RealModule

/// The reading of one morning that counts.
package struct Morning: Equatable, Sendable {
  /// Local day, in days since 1970-01-01.
  package var day: Int
  /// RMSSD in ms.
  package var rmssd: Double
  /// Heart rate in bpm.
  package var heartRate: Double

  package init(day: Int, rmssd: Double, heartRate: Double) {
    (self.day, self.rmssd, self.heartRate) = (day, rmssd, heartRate)
  }

  /// ln of RMSSD in ms, which is about normally distributed over days (Plews et al. 2013).
  package var lnRMSSD: Double { .log(rmssd) }
}

/// The morning readings of one person in one posture, or the nights of one person, at most one for each local day, with their statistics.
///
/// All statistics are those of ln RMSSD; docs/design/morning.md states the sources and the measured properties.
package struct MorningSeries: Equatable, Sendable {
  /// By day.
  package let mornings: [Morning]
  /// The kind of the readings.
  package let source: NormalRange.Source

  /// Mornings older than this number of days are not recent.
  package static let recentDays = 60
  /// Number of earlier mornings that the normal range requires.
  package static let leastForRange = ReadingSpread.leastDays
  /// Number of mornings before the last seven days that the trend requires.
  package static let leastForTrend = 7
  /// Number of mornings in seven days that their mean requires (Plews et al. 2014).
  package static let leastInWeek = 3
  /// Number of mornings before the last three that ``isLow(through:)`` requires.
  package static let leastForAlert = 14
  /// Half of the width of the smallest worthwhile change, in standard deviations (Buchheit 2014).
  package static let worthwhileDeviations = 0.5
  /// Threshold of ``isLow(through:)`` in standard errors of independent days. With a correlation of 0.5 between successive
  /// days, an alert occurs once in 60 undisturbed days.
  package static let alertErrors = 2.4

  /// - Parameter mornings: In any order, with at most one for each day. Mornings without a positive RMSSD are ignored.
  package init(_ mornings: [Morning], of source: NormalRange.Source = .mornings) {
    self.source = source
    self.mornings = mornings.filter { $0.rmssd > 0 && $0.rmssd.isFinite }.sorted { $0.day < $1.day }
  }

  /// The mornings of `days`.
  package func mornings(in days: Range<Int>) -> [Morning] { mornings.filter { days.contains($0.day) } }

  /// The recent mornings before `day`.
  package func recent(before day: Int) -> [Morning] { mornings(in: day - Self.recentDays..<day) }

  /// The distribution of the recent mornings before `day`. Requires two of them.
  package func reference(before day: Int) -> MorningReference? {
    MorningReference(recent(before: day).map(\.lnRMSSD))
  }

  /// The normal range of RMSSD on `day` in ms, from the recent mornings before it. Requires ``leastForRange`` of them.
  package func normalRange(on day: Int) -> ClosedRange<Double>? {
    reference(before: day)?.prediction.map { Double.exp($0.lowerBound)...Double.exp($0.upperBound) }
  }

  /// The seven days that end with `day`. Requires ``leastInWeek`` mornings.
  package func week(through day: Int) -> MorningWeek? {
    let week = mornings(in: day - 6..<day + 1).map(\.lnRMSSD)
    guard week.count >= Self.leastInWeek else { return nil }
    let before = reference(before: day - 6)
    return MorningWeek(week, before: before.flatMap { $0.count >= Self.leastForTrend ? $0 : nil })
  }

  /// Whether the mean of the last three mornings, which must be within four days, is clearly lower than that of the recent
  /// mornings before them: by more than ``alertErrors`` standard errors of this difference. Nil with too little history.
  package func isLow(through day: Int) -> Bool? {
    let last = mornings(in: day - 3..<day + 1).suffix(3)
    guard last.count == 3, let first = last.first, let before = reference(before: first.day),
      before.count >= Self.leastForAlert
    else { return nil }
    let mean = last.reduce(0) { $0 + $1.lnRMSSD } / 3
    let error = before.deviation * (1 / 3.0 + 1 / Double(before.count)).squareRoot()
    return mean < before.mean - Self.alertErrors * error
  }
}

/// The posture of a morning reading. Readings of different postures are different series, because standing lowers RMSSD
/// and raises the heart rate.
package enum MorningPosture: String, Sendable, CaseIterable {
  case lying
  case sitting
  case standing
}
