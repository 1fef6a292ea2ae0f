import HeartRate
import History
import HummingbirdCore
import LiveSession
import Localization
import Platform
import Reports
import Stress

/// The measurements of a session or of a filter as rows, the newest first.
struct MeasurementsPage: Sendable {
  let renderer: PageRenderer

  /// Limit of the rows of a page.
  static let length = 80

  var endpoints: [Endpoint] { [Endpoint("GET", HistoryQuery.path) { try await page($0) }] }

  private func page(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, HistoryQuery.names) { context in
      let query = try HistoryQuery(context)
      let form = HistoryFilterForm(context: context, query: query).html
      let rows = query.errors.isEmpty ? try Self.rows(context, query) : query.errors.summary(context)
      return Page(
        .history, title: context.localized("Measurements"), status: query.errors.isEmpty ? 200 : 422,
        content: """
          \(form)\(rows)
          <div class="row">\(context.button("/history", context.localized("Back to the history")))</div>
          """)
    }
  }

  private static func rows(_ context: PageContext, _ query: HistoryQuery) throws -> HTML {
    guard let reader = context.reader else { return HistoryPage.nothingStored(context) }
    // One more measurement than a page contains shows whether there is another page.
    var found = try reader.latestMeasurements(of: context.profile, matching: query.filter, limit: length + 1)
    guard !found.isEmpty else {
      return EmptyState(
        context.localized("Nothing matches these filters"),
        advice: context.localized("Choose a longer time or fewer filters."),
        action: context.button(HistoryQuery.path, context.localized("Show everything"))
      ).html
    }
    var next: WallTime?
    // Measurements of the same time are on the same page.
    if found.count > length {
      let first = found[length].time
      let shown = found.prefix { $0.time > first }
      if !shown.isEmpty { found = Array(shown) }
      next = shown.isEmpty ? first : WallTime(microseconds: first.microseconds + 1)
    }
    return "\(MeasurementRows(context: context, measurements: found).html)\(navigation(context, query, next))"
  }

  private static func navigation(_ context: PageContext, _ query: HistoryQuery, _ next: WallTime?) -> HTML? {
    let newest = query.before.map { _ in
      context.button(query.path(before: nil), context.localized("Newest"))
    }
    let older = next.map { context.button(query.path(before: $0), context.localized("Older"), "primary") }
    guard newest != nil || older != nil else { return nil }
    return
      "<nav class=\"row\" aria-label=\"\(context.localized("Pages of the history"))\">\(newest)\(older)</nav>"
  }
}

/// Measurements by local day.
private struct MeasurementRows: Sendable {
  let context: PageContext
  /// The newest first.
  let measurements: [StoredMeasurement]

  var html: HTML {
    let days = Dictionary(grouping: measurements) { LocalCalendar.system.day(of: $0.time) }
    return days.sorted { $0.key > $1.key }.map { day($0.key, $0.value) }.joined(separator: "\n")
  }

  private func day(_ day: Int64, _ rows: [StoredMeasurement]) -> HTML {
    let date = TrendPeriod.date(day)
    let name = context.language.date(LocalCalendar.system.dayText(rows[0].time))
    return """
      <section class="stack tight" aria-labelledby="day-\(date)"><h2 id="day-\(date)"><time datetime="\(date)">\(name)</time></h2>
      <ol class="timeline">
      \(rows.map(row).joined(separator: "\n"))
      </ol></section>
      """
  }

  private func row(_ measurement: StoredMeasurement) -> HTML {
    let path = context.path("/history/measurements/\(measurement.id)")
    return """
      <li><a href="\(path)">\(context.clock(measurement.time))</a> \(stress(measurement)) \
      <span>\(context.value(measurement.meanHeartRate, 0, context.localized("bpm")))</span> \
      <span>\(context.localized("HRV \(context.value(measurement.rmssd, 0)) ms"))</span> \
      <span class="quiet">\(context.localized("confidence \(context.percent(measurement.confidence.value))"))</span>\
      \(measurement.isSimulated ? " \(context.simulatedTag)" : nil)</li>
      """
  }

  /// The stress value, or the reason for its absence.
  private func stress(_ measurement: StoredMeasurement) -> HTML {
    guard let stress = measurement.stress else {
      return "<span class=\"category unknown\">\(context.localized("no stress value"))</span>"
    }
    guard let suspension = measurement.suspension else {
      return context.stress(stress, measurement.range, measurement.category)
    }
    return "<span class=\"category unknown\">\(context.localized(suspension.word))</span>"
  }
}
