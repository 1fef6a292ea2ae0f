import History
import Localization
import Plot
import Reports
import Stress

/// The trends of a period as cards: an insight in words, stress, its distribution, HRV, heart rate, and statistics.
struct TrendView: Sendable {
  let report: TrendReport
  /// The mean stress of the period before.
  let before: Double?
  /// Each day of a year.
  let days: YearMap?
  /// The associations of movement and nights with the stress of the next day.
  let effects: [Phrase]
  let context: PageContext

  private var trends: Trends { report.trends }
  private var figure: TrendFigure { report.figure(context.language) }

  var html: HTML {
    guard let stress = trends.whole[.stress] else { return nothing }
    return """
      <section class="card stack headline"><p class="quiet">\(period)</p>
      <p>\(context.stress(stress.mean, nil, StressCategory(score: stress.mean)))</p>\(report.sentences.map { "<p>\(context.localized($0))</p>" as HTML })\(TrendInsights(report: report, before: before, effects: effects, context: context).html)</section>
      \(days?.html)
      <div class="columns">
      <section class="card stack"><h2>\(context.localized("Stress"))</h2>\(stressChart)\(CategoryShares(context) { trends.whole[$0] }.html)</section>
      <section class="card stack"><h2>\(context.localized("Heart rate variability"))</h2>\(hrvChart)</section>
      <section class="card stack"><h2>\(context.localized("Heart rate without exertion"))</h2>\(heartRateChart)</section>
      \(moods)
      </div>
      <details class="card"><summary>\(context.localized("Statistics"))</summary><p>\(context.localized(report.statistics(stress)))</p>\(tables.statistics.html)</details>
      """
  }

  private var hrvName: String { report.metric.definition.name }

  private var period: String {
    let ends = trends.period.ends.map {
      context.localized("\(context.language.date($0.first)) to \(context.language.date($0.last))")
    }
    let simulated = trends.isSimulated ? context.localized("simulated") : nil
    return [ends, simulated].compactMap(\.self).joined(separator: ", ")
  }

  private var nothing: HTML {
    EmptyState(
      context.localized("No stress values in this period"),
      advice: context.localized("Take a reading, or choose a longer period."),
      action: context.button("/", context.localized("Take a reading"), "primary")
    ).html
  }

  // MARK: Charts

  private var tables: TrendTables { TrendTables(report: report, context: context) }

  private var stressChart: HTML {
    let caption = context.localized(
      "Your average stress from 0 to 100 in the colour of its category; the shade is its range.")
    let chart = figure.stressChart(
      name: context.localized("Stress over time"), unit: context.localized("stress"))
    return ChartFigure(
      "stress", chart, caption: caption, table: tables.stress(points: chart.points), context
    ).html
  }

  private var hrvChart: HTML {
    let chart = figure.hrvChart(
      name: context.localized("\(report.metric.title(context)) over time"), unit: "\(hrvName) (ms)")
    return ChartFigure(
      "hrv", chart, caption: hrvCaption,
      table: tables.spread(
        report.metric.unpacedQuantity, "\(report.metric.title(context)) ms", hrvCaption, points: chart.points),
      context
    ).html
  }

  private var hrvCaption: String {
    guard let normal = report.normal else {
      return context.localized(
        "Your average HRV (\(hrvName)); the line shows how much it varied. Your normal range appears after five days with resting minutes."
      )
    }
    let (low, high) = (normal.lowerBound.fixed(0), normal.upperBound.fixed(0))
    return context.localized(
      "Your average HRV (\(hrvName)); the line shows how much it varied, and the shade is your normal range at rest, \(low) to \(high) ms."
    )
  }

  private var heartRateChart: HTML {
    let bpm = context.localized("bpm")
    let rate = report.baseline.restingHeartRate.fixed(0)
    let caption = context.localized(
      "Your average heart rate without exertion; the line shows how much it varied, and the dashed line is your resting heart rate, \(rate) bpm."
    )
    let chart = figure.heartRateChart(name: context.localized("Heart rate over time"), unit: bpm)
    return ChartFigure(
      "heart-rate", chart, caption: caption,
      table: tables.spread(.heartRate, bpm, caption, points: chart.points), context
    ).html
  }

  private var moods: HTML? {
    let means = trends.moods.compactMap(\.mean)
    guard !means.isEmpty else { return nil }
    let caption = context.localized("Moods from 1 (very anxious) to 10 (very calm).")
    let chart = figure.moodChart(
      trends.moods.map(\.mean), name: caption, unit: context.localized("mood"))
    return """
      <section class="card stack"><h2>\(context.localized("Moods"))</h2>\
      \(ChartFigure("moods", chart, caption: caption, table: tables.moods(points: chart.points), context).html)</section>
      """
  }
}

extension HRVMetric {
  /// The metric with the word for what it measures.
  func title(_ context: PageContext) -> String {
    switch self {
    case .rmssd: context.localized("HRV (RMSSD)")
    case .sdnn: context.localized("HRV (SDNN)")
    }
  }
}

/// The categories with their icons, patterns and ranges.
struct CategoryLegend: Sendable {
  let context: PageContext

  var html: HTML {
    let items = StressCategory.allCases.enumerated().map { place, category in
      """
      <li class="category \(category.rawValue)">\(Icon.category(category)) \(context.language.word(category)) \
      \(25 * place)-\(25 * place + 25)</li>
      """ as HTML
    }
    return "<ul class=\"legend\" aria-label=\"\(context.localized("Categories"))\">\(items)</ul>"
  }
}
