import History
import Localization
import Plot
import Reports
import Stress

/// The tables of the trends of a period.
struct TrendTables: Sendable {
  let report: TrendReport
  let context: PageContext

  private var trends: Trends { report.trends }
  private var parts: [(name: String, sums: MeasurementSums)] {
    zip(trends.period.parts, trends.sums).map { (context.language.date($0.long), $1) }
  }

  /// Stress by part.
  func stress(points: [InlineFigure.Point?]) -> DataTable {
    let rows = zip(parts, points).filter { $0.0.sums[.stress] != nil }.map { part, point in
      let percentages = StressCategory.allCases.map { DataTable.Cell(part.sums.percentText($0)) }
      return DataTable.Row(
        [.init(part.name), .init(part.sums.stressMean)] + percentages + [.init("\(part.sums.usable)")],
        point: point)
    }
    return DataTable(
      caption: context.localized("Mean, and the share of the measurements in each category."),
      headings: [step, context.localized("stress")]
        + StressCategory.allCases.map(context.language.lowercasedWord)
        + [context.localized("measurements")], rows: rows)
  }

  private var step: String {
    switch trends.period.step {
    case .hour: context.localized("hour")
    case .day: context.localized("day")
    case .week: context.localized("week")
    case .month: context.localized("month")
    }
  }

  /// Mean, extremes and standard deviation by part.
  func spread(
    _ quantity: MeasurementSums.Quantity, _ heading: String, _ caption: String, points: [InlineFigure.Point?]
  ) -> DataTable {
    let rows = zip(parts, points).compactMap { part, point in
      part.sums[quantity].map { DataTable.Row([.init(part.name)] + cells($0), point: point) }
    }
    return DataTable(
      caption: caption, headings: [step, heading] + extremes, rows: rows)
  }

  private var extremes: [String] {
    [context.localized("min"), context.localized("max"), context.localized("SD")]
  }

  private func cells(_ spread: Spread?) -> [DataTable.Cell] {
    [spread?.mean, spread?.low, spread?.high, spread?.deviation].map { .init(context.value($0, 0)) }
  }

  /// The statistics of the whole period.
  var statistics: DataTable {
    let whole = trends.whole
    let quantities: [(String, Spread?)] = [
      (context.localized("Stress"), whole[.stress]),
      ("\(report.metric.definition.name) ms", whole[report.metric.unpacedQuantity]),
      ("\(context.localized("Heart rate without exertion")) \(context.localized("bpm"))", whole[.heartRate]),
    ]
    let count = whole.usable
    let artefacts = context.value(whole.artefactFraction.map { $0 * 100 }, 1)
    return DataTable(
      caption: context.localized(
        "\(count) measurement counted; \(artefacts) % of the beats were not normal.",
        "\(count) measurements counted; \(artefacts) % of the beats were not normal.", count: count),
      headings: [context.localized("quantity"), context.localized("mean")] + extremes,
      rows: quantities.map { DataTable.Row([.init($0.0)] + cells($0.1)) })
  }

  /// The moods of the journal by part.
  func moods(points: [InlineFigure.Point?]) -> DataTable {
    let rows = zip(zip(trends.period.parts, trends.moods), points).filter { !$0.0.1.isEmpty }.map {
      let ((part, moods), point) = $0
      return DataTable.Row(
        [
          .init(context.language.date(part.long)), .init(context.value(moods.mean, 1)),
          .init("\(moods.count)"),
        ], point: point)
    }
    return DataTable(
      caption: context.localized("Moods from 1 (very anxious) to 10 (very calm)."),
      headings: [step, context.localized("mood 1-10"), context.localized("entries")], rows: rows)
  }
}
