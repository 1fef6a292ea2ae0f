import HTTPTypes
import HummingbirdCore
import LiveFeed
import LiveSession
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
    try await response(request, names) { context in
      let page = try body(context)
      return (page.status, PageLayout(page: page, context: context).html)
    }
  }

  /// Answers with a whole document that has no navigation.
  func document(
    _ request: PermittedRequest, _ names: [String], _ body: @escaping @Sendable (PageContext) throws -> HTML
  ) async throws -> Response {
    try await response(request, names) { (200, try body($0)) }
  }

  private func response(
    _ request: PermittedRequest, _ names: [String],
    _ body: @escaping @Sendable (PageContext) throws -> (status: Int, html: HTML)
  ) async throws -> Response {
    let query = try QueryParameters(request, names + ["profile"])
    let accepted = request.request.headers[.acceptLanguage]
    return try await status.history.readers.run {
      let answer = try body(context(query, accepted))
      return Response(answer.status, "text/html; charset=utf-8", Array(answer.html.text.utf8))
    }
  }

  /// - Parameter accepted: the header Accept-Language.
  func context(_ query: QueryParameters, _ accepted: String?) throws -> PageContext {
    let history = status.history
    let reader = try history.reader()
    let profile = try history.profile(query, reader)
    let preferences = history.options.preferences?.preferences() ?? PagePreferences()
    return PageContext(
      query: query, profile: profile, reader: reader,
      live: status.hub.sessions.first { $0.profile == profile },
      language: language(preferences.language, accepted), isReadOnly: history.options.isReadOnly,
      options: history.options, preferences: preferences)
  }

  /// The language of the page that a form belongs to.
  func language(_ request: PermittedRequest) -> Language {
    let preferences = status.history.options.preferences?.preferences() ?? PagePreferences()
    return language(preferences.language, request.request.headers[.acceptLanguage])
  }

  private func language(_ preference: PagePreferences.PageLanguage, _ accepted: String?) -> Language {
    let catalogues = status.history.options.catalogues
    return preference == .system
      ? catalogues.language(accepted: accepted) : catalogues.language(preference.rawValue)
  }
}

extension PageRenderer {
  /// Changes the preferences.
  /// - Throws: ``Problem`` if they cannot be stored.
  func change(_ change: @escaping @Sendable (inout PagePreferences) -> Void) async throws {
    guard let store = status.history.options.preferences else {
      throw Problem(
        503, "No preferences", "Neither XDG_DATA_HOME nor HOME is set. Set HOME and restart the server.")
    }
    try await status.history.writers.run {
      do throws(PreferencesError) { try store.update(change) } catch {
        throw Problem(503, "Preferences unchanged", error.description)
      }
    }
  }
}

extension Response {
  /// The response to a form: the browser shows the page of `path` for the same profile, and a reload does not send the form
  /// again.
  static func redirect(to path: String, _ query: QueryParameters, fragment: String? = nil) -> Response {
    let profile =
      query.text("profile").map { "\(path.contains("?") ? "&" : "?")profile=\($0.percentEncoded)" } ?? ""
    let location = path + profile + (fragment.map { "#\($0)" } ?? "")
    return Response(status: .seeOther, headers: [.location: location])
  }
}
