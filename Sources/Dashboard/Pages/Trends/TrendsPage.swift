import HeartRate
import History
import HummingbirdCore
import Localization
import Platform
import Reports

/// The page Trends: stress, HRV and heart rate over a day, a week, a month or a year, the morning readings, and the nights.
struct TrendsPage: Sendable {
  let renderer: PageRenderer

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/trends") { try await page($0) },
      Endpoint("GET", "/trends/week") { try await week($0) },
    ]
  }

  private func page(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, ["show"]) { context in
      let span: TrendSpan = try context.query.word("show") ?? .week
      let content =
        switch span {
        case .mornings: try Self.readings(context, StoredMorning.self)
        case .nights: try Self.readings(context, StoredNight.self)
        case .day, .week, .month, .year: try Self.trends(context, span)
        }
      return Page(
        .trends, title: context.localized("Trends"),
        content:
          "\(TrendNavigation(context: context, current: span).html)\(try context.simulatedLeftOut)\(context.refreshed("trends", content))"
      )
    }
  }

  private static func trends(_ context: PageContext, _ span: TrendSpan) throws -> HTML {
    let now = SystemClock.wall
    let report = try TrendReport(
      context.reader, of: context.profile, span.period(until: now), metric: context.options.metric,
      today: Int(LocalCalendar.system.day(of: now)))
    let days =
      span == .year ? try context.reader.map { try YearMap($0, report.trends.period.times, context) } : nil
    let today = Int(LocalCalendar.system.day(of: now))
    let effects =
      span == .month
      ? try DayEffects(context.reader, of: context.profile, ending: today, .system).sentences : []
    return TrendView(
      report: report, before: try before(report.trends, span, context), days: days, effects: effects,
      context: context
    ).html
  }

  /// The mean stress of the period before; nil for a year, whose data take long to read.
  private static func before(_ trends: Trends, _ span: TrendSpan, _ context: PageContext) throws -> Double? {
    guard span != .year else { return nil }
    let period = span.period(until: trends.period.times.lowerBound.moved(seconds: -1))
    let before = try Trends(context.reader, of: context.profile, period)
    return before.isSimulated == trends.isSimulated ? before.whole[.stress]?.mean : nil
  }

  private static func readings<Reading: DailyReading>(_ context: PageContext, _: Reading.Type) throws -> HTML
  {
    let today = Int(LocalCalendar.system.day(of: SystemClock.wall))
    let trend = try DailyTrend<Reading>(context.reader, of: context.profile, last: 30, until: today)
    return DailyTrendView(trend: trend, context: context).html
  }

  private func week(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, ["ending"]) { context in
      let today = LocalCalendar.system.day(of: SystemClock.wall)
      let ending = try context.query.day("ending") ?? today
      let report = try PeriodReport(
        context.reader, of: context.profile, ending: ending, metric: context.options.metric, .system)
      let document = PeriodDocument(report: report, language: context.language).document
      return Page(
        .trends, title: document.title,
        content: context.refreshed(
          "week-report",
          "\(WeekView(document: document, week: report, ending: ending, today: today, context: context).html)\(try context.simulatedLeftOut)"
        ))
    }
  }
}

/// What the page shows.
enum TrendSpan: String, CaseIterable, Sendable {
  case day
  case week
  case month
  case year
  case mornings
  case nights

  var name: Phrase {
    switch self {
    case .day: Phrase("Day")
    case .week: Phrase("Week")
    case .month: Phrase("Month")
    case .year: Phrase("Year")
    case .mornings: Phrase("Mornings")
    case .nights: Phrase("Nights")
    }
  }

  func period(until now: WallTime) -> TrendPeriod {
    switch self {
    case .day: TrendPeriod(hoursUntil: now, .system)
    case .week: TrendPeriod(days: 7, step: .day, until: now, .system)
    case .month, .mornings, .nights: TrendPeriod(days: 30, step: .day, until: now, .system)
    case .year: TrendPeriod(days: 365, step: .month, until: now, .system)
    }
  }
}

/// The links to the spans and to the weekly report.
struct TrendNavigation: Sendable {
  let context: PageContext
  let current: TrendSpan

  var html: HTML {
    let links = TrendSpan.allCases.map { span in
      let isCurrent = span == current ? "page" : nil
      return """
        <a class="button" href="\(context.path("/trends?show=\(span.rawValue)"))"\(attribute: "aria-current", isCurrent)>\
        \(context.localized(span.name))</a>
        """ as HTML
    }
    return """
      <nav class="row tabs" aria-label="\(context.localized("Period"))">\(links)\
      \(context.button("/trends/week", context.localized("Weekly report")))</nav>
      """
  }
}
