import HTTPTypes
import HeartRate
import HummingbirdCore
import Localization
import Platform

/// The admitted browsers, which can be removed, and the access tokens of other programs. A new token is shown once.
struct TokensPage: Sendable {
  let renderer: PageRenderer

  private static let path = "/settings/tokens"

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await show($0) },
      Endpoint("POST", Self.path) { try await add($0) },
      Endpoint("POST", "\(Self.path)/remove") { try await remove($0, from: { $0.tokens }) },
      Endpoint("POST", "\(Self.path)/browsers/remove") { try await remove($0, from: { $0.browsers }) },
    ]
  }

  private func show(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, [PageNotice.parameter]) { Self.page($0) }
  }

  /// The answer is a page and no redirect, because the token cannot be read again.
  private func add(_ request: PermittedRequest) async throws -> Response {
    let port = request.request.head.authority?.split(separator: ":").last.flatMap { Int($0) }
    return try await renderer.form(request) { context, form in
      let name = form.value("name") ?? ""
      guard let scope = form.value("scope").flatMap(TokenScope.init), TokenScope.storable.contains(scope)
      else {
        return .page(
          Self.page(
            context, name: name, errors: ["scope": context.localized("Choose one of the listed values.")]))
      }
      do throws(TokenStoreError) {
        let token = try context.options.tokens.add(name, scope, at: SystemClock.wall)
        let urls = scope == .widget ? port.map { Self.widgets(context, port: $0, token.text) } : nil
        return .page(Self.page(context, added: Self.shown(context, name, token.text, urls)))
      } catch {
        return .page(Self.page(context, name: name, errors: ["name": Self.message(error, context)]))
      }
    }
  }

  private func remove(
    _ request: PermittedRequest, from store: @escaping @Sendable (DashboardOptions) -> TokenStore
  ) async throws -> Response {
    try await renderer.form(request) { context, form in
      do throws(TokenStoreError) {
        try store(context.options).remove(form.value("name") ?? "")
      } catch {
        return .page(Self.page(context, errors: ["name": Self.message(error, context)]))
      }
      return .redirect(context.path(PageNotice.path(Self.path, .deleted)))
    }
  }

  private static func message(_ error: TokenStoreError, _ context: PageContext) -> String {
    switch error {
    case .invalidName: context.localized("Enter 1 to 64 letters, digits, '-', '_' or '.'.")
    case .exists: context.localized("A token of this name exists. Remove it first, or enter another name.")
    case .unknown: context.localized("There is no token of this name.")
    case .damaged, .file: context.localized(error.message)
    }
  }

  private static func page(
    _ context: PageContext, name: String? = nil, added: HTML? = nil,
    errors: FormErrors = [:]
  ) -> Page {
    let content: HTML = """
      \(PageNotice.html(context))\(errors.summary(context))
      \(added)
      <p>\(context.localized("A token permits another program to read values from this server, and nothing else."))</p>
      \(list(context, context.options.tokens, empty: context.localized("No tokens yet")))\
      \(context.isReadOnly ? nil : form(context, name, errors))
      <h2>\(context.localized("Browsers"))</h2>
      <p>\(context.localized("These browsers are logged in, also after a restart. A browser that you remove has to log in again."))</p>
      \(list(context, context.options.browsers, empty: context.localized("No browser is logged in")))
      <div class="row">\(context.backToSettings)</div>
      """
    return Page(
      .settings, title: context.localized("Access tokens"), status: errors.isEmpty ? 200 : 422,
      content: content)
  }

  static func shown(_ context: PageContext, _ name: String, _ token: String, _ urls: HTML?) -> HTML {
    """
    <section class="notice stack" role="status"><h2>\(context.localized("Token \(name)"))</h2>
    <p>\(context.localized("Copy it now: it is shown only once."))</p>
    <pre tabindex="0" aria-label="\(context.localized("Token"))"><code>\(token)</code></pre>\(urls)</section>
    """
  }

  /// The URLs of the widget with the token, for a browser source of OBS.
  static func widgets(_ context: PageContext, port: Int, _ token: String) -> HTML {
    let names = [
      (WidgetOptions.Size.small, context.localized("Small")), (.medium, context.localized("Medium")),
      (.large, context.localized("Large")),
    ]
    let profile = context.query.text("profile").map { "&profile=\($0.percentEncoded)" } ?? ""
    let urls = names.map { size, name -> HTML in
      let url = "http://127.0.0.1:\(port)/widget?size=\(size.rawValue)\(profile)&token=\(token)"
      return "<p>\(name)</p><pre tabindex=\"0\" aria-label=\"\(name)\"><code>\(url)</code></pre>"
    }
    return """
      <h3>\(context.localized("The widget for OBS"))</h3>
      <p>\(context.localized("Add a browser source with one of these URLs. Add &show=hr,stress,trend,hrv,buddy to choose the values, and &background=none, soft or category."))</p>
      \(urls)
      """
  }

  private static func list(_ context: PageContext, _ store: TokenStore, empty: String) -> HTML {
    do throws(TokenStoreError) {
      let entries = try store.entries()
      guard !entries.isEmpty else { return "<p class=\"empty\">\(empty)</p>" }
      return "<ul class=\"rows card\">\(entries.map { item(context, $0) })</ul>"
    } catch {
      return "<p class=\"error\" role=\"alert\">\(context.localized(error.message))</p>"
    }
  }

  static func item(_ context: PageContext, _ entry: TokenStore.Entry) -> HTML {
    let remove =
      context.isReadOnly
      ? nil
      : """
      <form method="post" action="\(context.path(entry.scope == .full ? "\(path)/browsers/remove" : "\(path)/remove"))"><input type="hidden" name="name" value="\(entry.name)">\
      <button class="danger">\(context.localized("Remove \(entry.name)"))</button></form>
      """ as HTML
    return """
      <li class="row between"><div><strong>\(entry.name)</strong><p class="quiet small">\(scope(entry.scope, context)), \
      \(time(entry.created, context))</p></div>\(remove)</li>
      """
  }

  /// The local date and time of an RFC 3339 time.
  private static func time(_ text: String, _ context: PageContext) -> HTML {
    WallTime(rfc3339: text).map { context.time($0) } ?? "\(text)"
  }

  private static func scope(_ scope: TokenScope, _ context: PageContext) -> String {
    switch scope {
    case .hr: context.localized("the heart rate (/hr)")
    case .metrics: context.localized("values for Prometheus (/metrics)")
    case .widget: context.localized("the widget and its live values")
    case .read: context.localized("everything that can be read")
    case .write: context.localized("everything that can be read, and to add entries, marks and readings")
    case .full: context.localized("everything")
    }
  }

  private static func form(_ context: PageContext, _ name: String?, _ errors: FormErrors) -> HTML {
    let scopes = TokenScope.storable.map { ($0.rawValue, scope($0, context)) }
    return """
      <form method="post" action="\(context.path(path))" class="card stack"><h2>\(context.localized("Add a token"))</h2>
      \(FormField("name", context.localized("Name"), hint: context.localized("The program that uses it, such as obs"), error: errors["name"])
        .text(name, longest: 64, isRequired: true))
      \(FormField("scope", context.localized("It permits"), error: errors["scope"]).select(scopes, nil))
      <div class="row"><button class="primary">\(context.localized("Add"))</button></div></form>
      """
  }
}
