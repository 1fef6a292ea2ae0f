import HeartRate
package import History
package import Localization
package import Platform
import Stress

/// The measurements of local days, and how the mean stress of a day compares with that of the four weeks before it.
package struct DayMeans {
  private var days: [Int64: (sums: MeasurementSums, quarters: Int)] = [:]

  /// The mean stress of a day beside that of other days.
  package struct Comparison: Equatable, Sendable {
    package enum Kind: Sendable {
      case calmer
      case usual
      case moreStressed
    }

    /// 0 to 100.
    package let mean: Double
    /// The mean of the other days, of which at least five must have enough measurements.
    package let usual: Double?
    package let kind: Kind?
  }

  /// The days before a day with which it is compared.
  package static let comparedDays: Int64 = 28
  private static let fewestDays = 5

  package init(_ quarters: [QuarterHour], _ calendar: LocalCalendar = .system) {
    for quarter in quarters where quarter.sums.measurements > 0 {
      let day = calendar.day(of: quarter.start)
      days[day, default: (MeasurementSums(), 0)].sums += quarter.sums
      days[day]?.quarters += quarter.sums.usable > 0 ? 1 : 0
    }
  }

  /// The sums of a day, in days since 1970-01-01. A day without measurements has none.
  package subscript(day: Int64) -> MeasurementSums? { days[day]?.sums }

  /// Absent if the day has no usable measurement. A day is usual if its mean is within one standard deviation of that of the other days.
  package func comparison(of day: Int64) -> Comparison? {
    guard let mean = days[day]?.sums[.stress]?.mean else { return nil }
    let others = (day - Self.comparedDays..<day).compactMap { days[$0] }.filter {
      MeasurementSums.suffice(usable: $0.sums.usable, quarters: $0.quarters)
    }.compactMap { $0.sums[.stress]?.mean }
    guard others.count >= Self.fewestDays, let usual = Spread(others), let deviation = usual.deviation else {
      return Comparison(mean: mean, usual: nil, kind: nil)
    }
    let isEqual = mean.fixed(0) == usual.mean.fixed(0) || abs(mean - usual.mean) <= deviation
    let kind: Comparison.Kind = isEqual ? .usual : mean < usual.mean ? .calmer : .moreStressed
    return Comparison(mean: mean, usual: usual.mean, kind: kind)
  }
}

extension DayMeans.Comparison {
  /// `Calmer than usual: 14 on average, usually 22.`
  package var sentence: Phrase {
    let value = mean.fixed(0)
    guard let usual = usual?.fixed(0), let kind else { return StressCategory(score: mean).dayPhrase(value) }
    return switch kind {
    case .calmer: Phrase("Calmer than usual: \(value) on average, usually \(usual).")
    case .usual: Phrase("A usual day: \(value) on average, usually \(usual).")
    case .moreStressed: Phrase("More stressed than usual: \(value) on average, usually \(usual).")
    }
  }
}

extension StressCategory {
  /// `A relaxed day: 14 on average.`
  fileprivate func dayPhrase(_ mean: String) -> Phrase {
    switch self {
    case .relaxed: Phrase("A relaxed day: \(mean) on average.")
    case .mild: Phrase("A day with mild stress: \(mean) on average.")
    case .moderate: Phrase("A day with moderate stress: \(mean) on average.")
    case .high: Phrase("A day with high stress: \(mean) on average.")
    }
  }
}
