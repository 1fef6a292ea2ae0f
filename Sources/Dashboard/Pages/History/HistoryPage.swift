import HeartRate
import History
import HummingbirdCore
import Localization
import Platform
import Reports
import Stress

/// The page History: a month of days as a calendar, and a card for each day with its sessions. Single measurements are on
/// ``MeasurementsPage``.
struct HistoryPage: Sendable {
  let renderer: PageRenderer

  private var deletion: HistoryDeletionPage { HistoryDeletionPage(renderer: renderer) }
  private var details: HistoryDetailsPages { HistoryDetailsPages(renderer: renderer) }
  private var measurements: MeasurementsPage { MeasurementsPage(renderer: renderer) }

  var endpoints: [Endpoint] {
    [Endpoint("GET", "/history") { try await page($0) }] + measurements.endpoints + details.endpoints
      + deletion.endpoints
  }

  private func page(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, HistorySpan.names) { context in
      let notice = PageNotice.html(context)
      guard let reader = context.reader else {
        return Page(
          .history, title: context.localized("History"),
          content: "\(notice)\(context.refreshed("days", Self.nothingStored(context)))")
      }
      let model = try HistoryModel(context, reader)
      let content = HistoryView(model: model, context: context).html
      return Page(.history, title: Self.title(model, context), content: "\(notice)\(content)")
    }
  }

  /// A title that differs between the days and months.
  private static func title(_ model: HistoryModel, _ context: PageContext) -> String {
    let name = context.localized("History")
    switch model.span.choice {
    case nil: return "\(name), \(context.language.date(TrendPeriod.date(model.span.days.lowerBound)))"
    case .month:
      return "\(name), \(context.language.date(TrendPeriod.month(of: model.span.calendarDays.lowerBound)))"
    case .today, .week, .all: return name
    }
  }

  static func nothingStored(_ context: PageContext) -> HTML {
    EmptyState(
      context.localized("Nothing is stored yet"),
      advice: context.localized(
        "Put on the strap and take a reading. Its stress value, heart rate and HRV then appear here."),
      action: context.button("/", context.localized("Take a reading"), "primary")
    ).html
  }
}

/// The content of the page History.
struct HistoryView: Sendable {
  let model: HistoryModel
  let context: PageContext

  private var span: HistorySpan { model.span }

  var html: HTML {
    """
    \(tabs)
    \(context.refreshed("days", content))
    \(actions)
    """
  }

  private var tabs: HTML {
    let items = HistorySpan.Choice.allCases.map { choice -> HTML in
      let path = context.path("/history?span=\(choice.rawValue)")
      return
        "<a class=\"button\" href=\"\(path)\"\(attribute: "aria-current", choice == span.choice ? "page" : nil)>\(name(choice))</a>"
    }
    return "<nav class=\"row tabs\" aria-label=\"\(context.localized("Time span"))\">\(items)</nav>"
  }

  private func name(_ choice: HistorySpan.Choice) -> String {
    switch choice {
    case .today: context.localized("Today")
    case .week: context.localized("Week")
    case .month: context.localized("Month")
    case .all: context.localized("All")
    }
  }

  private var content: HTML {
    let cards = model.days.map { day in
      DayCard(day, model.means.comparison(of: day.day), isSimulated: model.isSimulated, context).html
    }
    switch span.choice {
    case .all: return "\(months)\(older)"
    case nil: return "\(neighbours)\(cards.isEmpty ? [nothing] : cards)"
    case .today, .week, .month: return "\(calendar)\(cards.isEmpty ? [nothing] : cards)\(older)"
    }
  }

  private var nothing: HTML {
    EmptyState(
      context.localized("Nothing was measured on these days"),
      advice: context.localized("Choose another day or a longer time, or take a reading."),
      action: context.button("/", context.localized("Take a reading"), "primary")
    ).html
  }

  // MARK: Calendar

  private var calendar: HTML {
    let month = span.months[0]
    let map = MonthMap(month: month, model: model, context: context)
    return """
      <section class="card overview" aria-labelledby="month-name"><div class="stack">
      <div class="row between"><h2 id="month-name">\(name(month))</h2>\(neighbours(month))</div>
      \(map.html)</div>
      <div class="stack">\(summary(month))\(CategoryLegend(context: context).html)
      <details class="chart-data"><summary>\(context.localized("Show as a table"))</summary>\(map.table.html)</details></div></section>
      """
  }

  private func name(_ month: Range<Int64>) -> String {
    context.language.date(TrendPeriod.month(of: month.lowerBound))
  }

  private func neighbours(_ month: Range<Int64>) -> HTML {
    let (earlier, later) = (
      HistorySpan.month(of: month.lowerBound - 1), HistorySpan.month(of: month.upperBound)
    )
    return """
      <nav class="row" aria-label="\(context.localized("Months"))">\
      \(arrow("month=\(HistorySpan.text(month: earlier))", "←", name(earlier)))\
      \(later.lowerBound <= span.today ? arrow("month=\(HistorySpan.text(month: later))", "→", name(later)) : nil)</nav>
      """
  }

  private func arrow(_ query: String, _ sign: String, _ name: String) -> HTML {
    """
    <a class="button" href="\(context.path("/history?\(query)"))" aria-label="\(name)"><span aria-hidden="true">\(sign)</span></a>
    """
  }

  private func summary(_ month: Range<Int64>) -> HTML {
    let days = month.compactMap { day in
      model.means[day].flatMap { sums in sums[.stress].map { (day, sums, $0.mean) } }
    }
    let whole = days.reduce(into: MeasurementSums()) { $0 += $1.1 }
    guard let mean = whole[.stress]?.mean else {
      return "<p>\(context.localized("No stress value in this month."))</p>"
    }
    let names = days.map { (name: dayName($0.0), mean: $0.2) }
    let extremes = TrendInsights.extremes(names, context).map { "<p>\($0)</p>" as HTML }
    return """
      <p class="judgement">\(context.stress(mean, nil, StressCategory(score: mean)))</p>
      <p>\(context.localized("on average on \(days.count) day", "on average on \(days.count) days", count: days.count))\
      \(model.isSimulated ? " \(context.simulatedTag)" : nil)</p>\(extremes)
      \(CategoryShares(context) { whole[$0] }.html)
      """
  }

  private func dayName(_ day: Int64) -> String {
    context.language.date(model.calendar.dayText(model.calendar.start(ofDay: day)))
  }

  /// The months of a year with measurements.
  private var months: HTML {
    let months = span.months.filter { month in
      month.contains { model.means[$0] != nil || model.moods[$0] != nil }
    }
    guard !months.isEmpty else { return nothing }
    let cards = months.map { month -> HTML in
      """
      <li class="card stack"><h2><a href="\(context.path("/history?month=\(HistorySpan.text(month: month))"))">\(name(month))</a></h2>\
      \(MonthMap(month: month, model: model, context: context).html)</li>
      """
    }
    return "<ul class=\"cards groups\">\(cards)</ul>\(CategoryLegend(context: context).html)"
  }

  // MARK: Navigation

  /// Links to the days around a single day.
  private var neighbours: HTML {
    let day = span.days.lowerBound
    let later =
      day < span.today
      ? context.button("/history?day=\(TrendPeriod.date(day + 1))", context.localized("Next day")) : nil
    return """
      <nav class="row" aria-label="\(context.localized("Days"))">\
      \(context.button("/history?day=\(TrendPeriod.date(day - 1))", context.localized("Previous day")))\(later)\
      \(context.button("/history?month=\(HistorySpan.text(month: span.calendarDays))", name(span.calendarDays)))</nav>
      """
  }

  private var older: HTML? {
    let link: HTML? =
      switch span.choice {
      case .all:
        context.button(
          "/history?span=all&month=\(HistorySpan.text(month: HistorySpan.month(of: span.calendarDays.lowerBound - 1)))",
          context.localized("Earlier months"))
      default:
        model.hasEarlier
          ? model.days.last.map {
            context.button(span.path(before: $0.day), context.localized("Earlier days"), "primary")
          }
          : nil
      }
    return link.map {
      "<nav class=\"row\" aria-label=\"\(context.localized("Pages of the history"))\">\($0)</nav>"
    }
  }

  private var actions: HTML {
    let deletion =
      context.isReadOnly
      ? nil : context.button("/history/delete", context.localized("Delete data"), "danger")
    return """
      <div class="row between">\(context.button("/history/measurements", context.localized("Single measurements")))\(deletion)</div>
      """
  }
}
