import HTTPTypes
import HummingbirdCore
import Localization
import Stress

/// Shows problems as pages to browsers; programs receive problem details.
struct ErrorPages: Sendable {
  let options: DashboardOptions

  /// The page of a problem. The API has none, nor does a client that does not ask for HTML.
  /// - Parameter isPermitted: whether the request had a token. The page of a rejected request contains no private data.
  func response(_ problem: Problem, to request: Request, path: String, isPermitted: Bool) -> Response? {
    let asksForHTML = request.headers[.accept]?.contains("text/html") ?? false
    guard asksForHTML, !path.hasPrefix("/api/") else { return nil }
    let context = context(request)
    let page = Page(
      nil, title: Self.title(problem, context), status: problem.status,
      content: Self.content(problem, context, isPermitted))
    let html = PageLayout(page: page, context: context, isPermitted: isPermitted).html
    return Response(problem.status, "text/html; charset=utf-8", Array(html.text.utf8))
  }

  /// A page that continues with another one of this server, without script.
  func continuation(_ request: Request, to path: String) -> Response {
    let context = context(request)
    let page = Page(
      nil, title: context.localized("This browser is logged in"),
      content: "<p><a class=\"button primary\" href=\"\(path)\">\(context.localized("Continue"))</a></p>")
    let html = PageLayout(page: page, context: context, isPermitted: false, next: path).html
    return Response(200, "text/html; charset=utf-8", Array(html.text.utf8))
  }

  /// What to do. The cause is stated for those who write programs for the server.
  static func content(_ problem: Problem, _ context: PageContext, _ isPermitted: Bool) -> HTML {
    let next: HTML =
      isPermitted
      ? "<p><a class=\"button primary\" href=\"/\">\(context.localized("Back to the page Now"))</a></p>"
      : """
      <p>\(context.localized("Open the pages from the menu of the computer on which stressmon runs, or print a link there:"))\
       <code>stressmon serve url</code></p>
      """
    return """
      <div class="empty">\(BuddyPicture.waiting(.concerned))<p>\(advice(problem, context))</p>\(next)\
      <details class="small"><summary>\(context.localized("Details"))</summary><p lang="en">\(problem.detail)</p></details></div>
      """
  }

  private static func advice(_ problem: Problem, _ context: PageContext) -> String {
    switch problem.status {
    case 401: context.localized("Each browser logs in once, with a link that works one time.")
    case 403: context.localized("Only browsers that are logged in, on the same computer, may do this.")
    case 404: context.localized("It may have been deleted, or its address is not complete.")
    case 409: context.localized("Stop it first on the page Now.")
    case 413: context.localized("The text is too long. Shorten it, and send it again.")
    case 400..<500: context.localized("The page does not understand an entry. Go back, and change it.")
    default: context.localized("Nothing is lost. Try again in a few seconds.")
    }
  }

  private func context(_ request: Request) -> PageContext {
    let preferences = options.preferences?.preferences() ?? PagePreferences()
    let catalogues = options.catalogues
    return PageContext(
      query: .none, profile: options.profile, reader: nil, live: nil,
      language: preferences.language == .system
        ? catalogues.language(accepted: request.headers[.acceptLanguage])
        : catalogues.language(preferences.language.rawValue),
      isReadOnly: options.isReadOnly, options: options, preferences: preferences)
  }

  private static func title(_ problem: Problem, _ context: PageContext) -> String {
    switch problem.status {
    case 400, 422: context.localized("This request is not valid")
    case 401: context.localized("This browser is not logged in")
    case 403: context.localized("This is not permitted")
    case 404: context.localized("This page does not exist")
    case 409: context.localized("Something is already running")
    case 503: context.localized("This does not work at the moment")
    default: problem.status >= 500 ? context.localized("The server failed") : problem.title
    }
  }
}
