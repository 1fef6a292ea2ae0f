package import Localization
package import Stress

/// A stress value as it is shown everywhere, in whole numbers.
package enum StressValueText {
  /// A value with its range: `42 (24-58)`; `42` without a range.
  package static func text(_ value: Double, _ range: ClosedRange<Double>?) -> String {
    value.fixed(0) + (range.map { " (\(text($0)))" } ?? "")
  }

  /// `24-58`
  package static func text(_ range: ClosedRange<Double>) -> String {
    "\(range.lowerBound.fixed(0))-\(range.upperBound.fixed(0))"
  }
}

extension StressRange {
  /// From ``low`` to ``high``.
  package var bounds: ClosedRange<Double> { low...high }
}

/// A confidence in three levels, for words.
package enum ConfidenceLevel: Sendable {
  case high
  /// Below 0.8.
  case medium
  /// Below 0.5.
  case low

  /// - Parameter value: 0 to 1.
  package init(_ value: Double) { self = value < 0.5 ? .low : value < 0.8 ? .medium : .high }
}

extension StressCategory {
  /// The name for the middle of a sentence and for table cells: `relaxed`.
  package var lowercasedName: Phrase {
    switch self {
    case .relaxed: Phrase("relaxed")
    case .mild: Phrase("mild")
    case .moderate: Phrase("moderate")
    case .high: Phrase("high")
    }
  }

  /// For what part of the measured time the stress value had this category.
  package func sentence(percent: Int) -> Phrase {
    switch self {
    case .relaxed: Phrase("You were relaxed for \(percent) % of the measured time.")
    case .mild: Phrase("Your stress was mild for \(percent) % of the measured time.")
    case .moderate: Phrase("Your stress was moderate for \(percent) % of the measured time.")
    case .high: Phrase("Your stress was high for \(percent) % of the measured time.")
    }
  }
}

extension Baseline {
  /// The baseline in words: `RMSSD 47.2 ms and 58.1 bpm, estimated from 2 days (86 %) and the population default`.
  package func summary(_ metric: HRVMetric) -> Phrase {
    let (name, hrv) = (metric.rawValue.uppercased(), hrv(metric).fixed(1))
    return Phrase("\(name) \(hrv) ms and \(restingHeartRate.fixed(1)) bpm, \(provenance)")
  }

  /// The origin of the baseline in words. The weight of the own values is stated as long as the rest matters.
  package var provenance: Phrase {
    switch origin {
    case .populationDefault: return Phrase("population default")
    case .manual: return Phrase("set manually")
    case .learned:
      let count = Int(exactly: days.rounded()) ?? 0
      let learned = Phrase("estimated from \(count) day", "estimated from \(count) days", count: count)
      guard weightPercent < 95 else { return learned }
      return Phrase("\(learned) (\(weightPercent) %) and the population default")
    }
  }
}
