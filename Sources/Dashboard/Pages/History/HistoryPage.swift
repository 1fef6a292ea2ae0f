import HeartRate
import History
import HummingbirdCore
import Localization
import Platform
import Reports
import Stress

/// The page History: all records by local day, the newest first, and the pages of a measurement and of a session.
struct HistoryPage: Sendable {
  let renderer: PageRenderer

  private var deletion: HistoryDeletionPage { HistoryDeletionPage(renderer: renderer) }
  private var details: HistoryDetailsPages { HistoryDetailsPages(renderer: renderer) }

  var endpoints: [Endpoint] {
    [Endpoint("GET", "/history") { try await page($0) }] + details.endpoints + deletion.endpoints
  }

  private func page(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, HistoryQuery.names) { context in
      let query = try HistoryQuery(context)
      let content = try Self.content(context, query)
      return Page(
        .history, title: context.localized("History"), status: query.errors.isEmpty ? 200 : 422,
        content: content)
    }
  }

  private static func content(_ context: PageContext, _ query: HistoryQuery) throws -> HTML {
    let notice = PageNotice.html(context)
    guard let reader = context.reader else {
      return "\(notice)\(context.refreshed("timeline", nothingStored(context)))"
    }
    let form = HistoryFilterForm(context: context, query: query).html
    guard query.errors.isEmpty else { return "\(query.errors.summary(context))\(form)" }
    let page = try TimelinePage(reader, of: context.profile, matching: query.filter)
    guard !page.items.isEmpty else {
      return
        "\(notice)\(query.isFiltered ? form : nil)\(context.refreshed("timeline", empty(context, query)))"
    }
    return """
      \(notice)\(form)
      \(context.refreshed("timeline", "\(TimelineView(context: context, items: page.items, simulated: page.simulated).html)\(navigation(context, query, page))"))
      """
  }

  private static func navigation(_ context: PageContext, _ query: HistoryQuery, _ page: TimelinePage) -> HTML
  {
    let newest = query.before.map { _ in
      context.button(query.path(before: nil), context.localized("Newest"))
    }
    let older = page.next.map { time in
      context.button(query.path(before: time), context.localized("Older"), "primary")
    }
    let deletion =
      context.isReadOnly
      ? nil : context.button("/history/delete", context.localized("Delete data"), "danger")
    return """
      <nav class="row between" aria-label="\(context.localized("Pages of the history"))">\
      <div class="row">\(newest)\(older)</div>\(deletion)</nav>
      """
  }

  private static func nothingStored(_ context: PageContext) -> HTML {
    EmptyState(
      context.localized("Nothing is stored yet"),
      advice: context.localized(
        "Put on the strap and take a reading. Its stress value, heart rate and HRV then appear here."),
      action: context.button("/", context.localized("Take a reading"), "primary")
    ).html
  }

  private static func empty(_ context: PageContext, _ query: HistoryQuery) -> HTML {
    guard query.isFiltered || query.before != nil else { return nothingStored(context) }
    return EmptyState(
      context.localized("Nothing matches these filters"),
      advice: context.localized("Choose a longer time or fewer filters."),
      action: context.button("/history", context.localized("Show everything"))
    ).html
  }
}
