import History
import Localization
import Reports
import Stress

/// What a period shows, in sentences: the period before, its calmest and most stressed part, the own values at rest, and movement.
struct TrendInsights: Sendable {
  let report: TrendReport
  /// The mean stress of the period before.
  let before: Double?
  /// The associations of movement and nights with the stress of the next day.
  let effects: [Phrase]
  let context: PageContext

  private var trends: Trends { report.trends }

  var html: HTML {
    let sentences =
      [earlier, extremes, rest, report.motion.map(context.localized), movement].compactMap(\.self)
      + effects.map(context.localized)
    guard !sentences.isEmpty else { return "" }
    return "<ul>\(sentences.map { "<li>\($0)</li>" as HTML })</ul>"
  }

  private var earlier: String? {
    before.map { context.localized("In the period before, your stress was \($0.fixed(0)) on average.") }
  }

  private var extremes: String? {
    let parts = zip(trends.period.parts, trends.sums).compactMap { part, sums in
      sums[.stress].map { (name: context.language.date(part.long), mean: $0.mean) }
    }
    return Self.extremes(parts, context)
  }

  /// The parts with the lowest and the highest mean stress. Omitted if there are fewer than three measured parts, or if their values are
  /// equal as shown.
  static func extremes(_ parts: [(name: String, mean: Double)], _ context: PageContext) -> String? {
    guard parts.count >= 3, let low = parts.min(by: { $0.mean < $1.mean }),
      let high = parts.max(by: { $0.mean < $1.mean })
    else { return nil }
    let (least, most) = (low.mean.fixed(0), high.mean.fixed(0))
    guard least != most else { return nil }
    return context.localized("Lowest: \(low.name) with \(least). Highest: \(high.name) with \(most).")
  }

  /// The normal range of HRV and the heart rate at rest, unless the baseline is the population default.
  private var rest: String? {
    guard report.baseline.origin != .populationDefault else { return nil }
    let rate = report.baseline.restingHeartRate.fixed(0)
    guard let normal = report.normal else {
      return context.localized("At rest, your heart rate is usually \(rate) bpm.")
    }
    let (name, low, high) = (
      report.metric.title(context), normal.lowerBound.fixed(0), normal.upperBound.fixed(0)
    )
    return context.localized(
      "At rest, your \(name) is usually \(low) to \(high) ms, and your heart rate \(rate) bpm.")
  }

  /// The mean minutes of movement of the days in which movement is known.
  private var movement: String? {
    guard trends.period.step == .day else { return nil }
    let days = trends.period.parts.indices.compactMap(trends.movement)
    guard !days.isEmpty else { return nil }
    let mean = (days.reduce(0, +) / Double(days.count)).fixed(0)
    return context.localized("Movement: \(mean) min a day on average.")
  }
}
