import HeartRate
import History
import Localization
import Plot
import Reports

/// The weekly report as a page that can be printed: the blocks of the document that `stressmon report` writes.
struct WeekView: Sendable {
  let document: ReportDocument
  let week: PeriodReport
  /// The last of the seven days and today, in days since 1970-01-01.
  let ending: Int64
  let today: Int64
  let context: PageContext

  var html: HTML {
    "\(navigation)<article class=\"card stack report\">\(document.blocks.map(block))</article>"
  }

  private var navigation: HTML {
    let later = ending + 7 <= today ? link(ending + 7, context.localized("Next week")) : nil
    return """
      <nav class="row" aria-label="\(context.localized("Weeks"))">\(link(ending - 7, context.localized("Week before")))\
      \(later)\(context.button("/trends", context.localized("Back to the trends")))</nav>
      """
  }

  private func link(_ day: Int64, _ text: String) -> HTML {
    context.button("/trends/week?ending=\(TrendPeriod.date(day))", text)
  }

  private func block(_ block: ReportDocument.Block) -> HTML {
    switch block {
    case .heading(let text): return "<h2>\(text)</h2>"
    case .paragraph(let text): return "<p>\(text)</p>"
    case .list(let items): return "<ul>\(items.map { "<li>\($0)</li>" as HTML })</ul>"
    case .table(let caption, let headings, let rows):
      return DataTable(
        caption: caption, headings: headings, rows: rows.map { DataTable.Row($0.map { DataTable.Cell($0) }) }
      ).html
    case .figure: return charts
    }
  }

  /// The stress of two weeks by day. The table that follows contains its values.
  private var charts: HTML {
    let report = TrendReport(
      profile: week.profile, trends: week.days, metric: week.metric, baseline: week.baseline,
      normal: week.normal)
    let chart = report.figure(context.language).stressChart(
      name: context.localized("Stress over time"), unit: context.localized("stress"))
    let caption = context.localized("Mean stress from 0 to 100 with its category; the shade is its interval.")
    let table = TrendTables(report: report, context: context).stress(points: chart.points)
    return """
      \(ChartFigure("week", chart, caption: caption, table: table, context).html)\(CategoryLegend(context: context).html)
      """
  }
}
