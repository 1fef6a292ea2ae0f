import RealModule

/// A person's normal range of RMSSD for one kind of reading, with the latest days: a value is below, within or above it, and
/// has been so since a day.
///
/// The range contains the next undisturbed reading of its kind in 9 of 10 cases. It is a prediction interval of Student's t
/// for ln RMSSD from the spread between such readings; docs/design/normal.md states the definition and its properties.
///
/// ```swift
/// let range = NormalRange(series, on: today)   // 36 to 53 ms, from 28 mornings
/// range?.position(32)                          // .below
/// ```
package struct NormalRange: Equatable, Sendable {
  /// The kind of reading.
  package enum Source: String, Sendable, CaseIterable {
    /// Morning readings in one posture.
    case mornings
    /// Nights.
    case nights
    /// Single minutes at rest on the days with rest that the baseline is estimated from.
    case restingDays = "resting-days"
  }

  /// The position of a value relative to the range.
  package enum Position: String, Sendable, CaseIterable {
    case below
    case within
    case above
  }

  /// RMSSD in ms.
  package let rmssd: ClosedRange<Double>
  package let source: Source
  /// Number of mornings or days that the range is computed from.
  package let count: Int
  /// The latest days, the newest last.
  private let days: [DailyRMSSD]

  /// The range of the readings of a series on `day`, if there are enough. ``since(_:)`` includes the reading of `day`.
  package init?(_ series: MorningSeries, on day: Int) {
    guard let range = series.normalRange(on: day), let reference = series.reference(before: day) else {
      return nil
    }
    (rmssd, source, count) = (range, series.source, reference.count)
    days = series.mornings(in: day - MorningSeries.recentDays..<day + 1).map {
      DailyRMSSD(day: $0.day, rmssd: $0.rmssd)
    }
  }

  /// The range of minutes at rest. Requires five days with rest.
  package init?(_ evidence: BaselineEvidence) {
    guard let range = evidence.rmssd.normalRange else { return nil }
    (rmssd, source, count) = (range, .restingDays, evidence.days)
    days = evidence.daily.sorted { $0.day < $1.day }
  }

  /// The position of RMSSD in ms. Compares the value in tenths of a ms with the bounds in whole ms, as they are displayed:
  /// a value that equals a bound in print is within the range.
  package func position(_ rmssd: Double) -> Position {
    let shown = (rmssd * 10).rounded() / 10
    if shown < self.rmssd.lowerBound.rounded() { return .below }
    return shown > self.rmssd.upperBound.rounded() ? .above : .within
  }

  /// The position of RMSSD in ms as a number from 0 to 100: the percentage of undisturbed readings that are expected to be
  /// lower, if ln RMSSD is normally distributed.
  ///
  /// The bounds of the range have the scores 5 and 95, and its geometric mean 50. The score agrees with ``position(_:)``,
  /// which compares rounded values.
  package func score(_ rmssd: Double) -> Double {
    let (low, high) = (Double.log(self.rmssd.lowerBound), Double.log(self.rmssd.upperBound))
    guard rmssd > 0, high > low else { return 50 }
    let deviations = Self.boundDeviations * (2 * (.log(rmssd) - low) / (high - low) - 1)
    let score = 50 * (1 + Double.erf(deviations / 2.0.squareRoot()))
    return switch position(rmssd) {
    case .below: min(score, Self.boundScore)
    case .within: min(max(score, Self.boundScore), 100 - Self.boundScore)
    case .above: max(score, 100 - Self.boundScore)
    }
  }

  /// The score of the lower bound of an interval of 90 %, and its distance from the middle in standard deviations.
  private static let (boundScore, boundDeviations) = (5.0, 1.6448536269514722)

  /// The first of the latest successive days in `position`, in days since 1970-01-01; nil if the latest day is in another
  /// one. All days are compared with this range.
  package func since(_ position: Position) -> Int? {
    days.reversed().prefix { self.position($0.rmssd) == position }.last?.day
  }
}

/// RMSSD of one local day.
package struct DailyRMSSD: Equatable, Sendable {
  /// In days since 1970-01-01.
  package let day: Int
  /// RMSSD in ms.
  package let rmssd: Double

  package init(day: Int, rmssd: Double) { (self.day, self.rmssd) = (day, rmssd) }
}
