import History
import Localization
import Reports
import Stress

/// What a period shows, in sentences: the period before, its calmest and most stressed part, HRV and heart rate beside the values at
/// rest, and movement.
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
      [earlier, extremes, hrv, restingHeartRate, motion, movement].compactMap(\.self)
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

  /// The mean HRV without paced breathing. It is not compared with the normal range, which is that of rest, while the mean
  /// includes all measured times.
  private var hrv: String? {
    guard let mean = trends.whole[report.metric.unpacedQuantity]?.mean, let normal = report.normal else {
      return nil
    }
    let name = report.metric.title(context)
    let (value, low, high) = (mean.fixed(0), normal.lowerBound.fixed(0), normal.upperBound.fixed(0))
    return context.localized(
      "\(name) was \(value) ms on average of all measured times; your normal range, \(low) to \(high) ms, is that of rest."
    )
  }

  private var restingHeartRate: String? {
    guard let rate = trends.whole[.heartRate] else { return nil }
    let (mean, rest) = (rate.mean.fixed(0), report.baseline.restingHeartRate.fixed(0))
    return context.localized(
      "Heart rate was \(mean) bpm on average without exertion; at rest it is \(rest) bpm.")
  }

  /// The time in motion, if acceleration was recorded.
  private var motion: String? {
    let motion = trends.wholeMotion
    guard motion.all > 0 else { return nil }
    let (still, other) = (minutes(motion.still), minutes(motion.fidget))
    let (walking, running) = (minutes(motion.walk), minutes(motion.run))
    return context.localized(
      "Time with acceleration: \(still) min still, \(other) min other movement, \(walking) min walking, \(running) min running"
    )
  }

  /// The mean minutes of movement of the days in which movement is known.
  private var movement: String? {
    guard trends.period.step == .day else { return nil }
    let days = trends.period.parts.indices.compactMap(trends.movement)
    guard !days.isEmpty else { return nil }
    let mean = (days.reduce(0, +) / Double(days.count)).fixed(0)
    return context.localized("Movement: \(mean) min a day on average.")
  }

  private func minutes(_ seconds: Int) -> String { (Double(seconds) / 60).fixed(0) }
}
