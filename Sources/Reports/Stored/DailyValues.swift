package import Formats
package import History
package import Platform
import Stress

/// The values of local days for training logs: those of the morning reading, and the category of the day's mean stress.
///
/// A day without a counted morning reading has no resting values. Means of daytime measurements never replace them.
package struct DailyValues: Sendable {
  package let days: [TrainingLog.Day]

  /// - Parameter days: in days since 1970-01-01.
  package init(
    _ reader: HistoryReader, of profile: String, in days: ClosedRange<Int64>, _ calendar: LocalCalendar
  ) throws(HistoryError) {
    let range = Int(days.lowerBound)..<Int(days.upperBound) + 1
    let mornings = Dictionary(
      try reader.countedMornings(of: profile, in: range).map { ($0.day, $0) },
      uniquingKeysWith: { first, _ in first })
    let trends = try Trends(
      reader, of: profile,
      TrendPeriod(fromDay: days.lowerBound, toDay: days.upperBound, step: .day, calendar))
    self.days = range.enumerated().map { place, day in
      let morning = mornings[day]
      return TrainingLog.Day(
        date: TrendPeriod.date(Int64(day)),
        time: morning.map { String(calendar.text($0.time).map { $0 == " " ? "T" : $0 }) },
        restingHeartRate: morning?.heartRate, rmssd: morning?.rmssd,
        stress: trends.stressLevel(place))
    }
  }
}

extension Trends {
  /// The category of the mean stress of a part, 1 to 4, if the part has enough measurements.
  fileprivate func stressLevel(_ part: Int) -> Int? {
    guard isComparable(part), let mean = sums[part][.stress]?.mean else { return nil }
    return StressCategory.allCases.firstIndex(of: StressCategory(score: mean)).map { $0 + 1 }
  }
}
