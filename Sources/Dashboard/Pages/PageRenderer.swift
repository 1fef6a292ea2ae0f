import HummingbirdCore
import LiveFeed
import Localization

/// Answers the requests of pages: reads what a page shows on a thread that may wait for the disk, and adds the layout.
struct PageRenderer: Sendable {
  let status: StatusAPI

  /// Answers with the page that `body` creates.
  /// - Parameter names: the parameters of the query, in addition to `profile`.
  func page(
    _ request: PermittedRequest, _ names: [String] = [],
    _ body: @escaping @Sendable (PageContext) throws -> Page
  ) async throws -> Response {
    let query = try QueryParameters(request, names + ["profile"])
    return try await offload {
      let context = try context(query)
      let page = try body(context)
      let html = PageLayout(page: page, context: context).html
      return Response(page.status, "text/html; charset=utf-8", Array(html.text.utf8))
    }
  }

  private func context(_ query: QueryParameters) throws -> PageContext {
    let history = status.history
    let reader = try history.reader()
    let profile = try history.profile(query, reader)
    return PageContext(
      query: query, profile: profile, reader: reader,
      live: status.hub.sessions.first { $0.profile == profile }, language: .english,
      isReadOnly: history.options.isReadOnly, options: history.options)
  }
}
