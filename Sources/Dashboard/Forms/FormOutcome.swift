import HTTPTypes
import HummingbirdCore
import Localization

/// How a form was processed.
enum FormOutcome: Sendable {
  /// Redirects to a page (303). Reloading it does not send the form again.
  case redirect(String)
  /// Shows the form again, with the errors beside its fields.
  case page(Page)
}

extension PageRenderer {
  /// Answers a form whose processing may wait for the disk.
  /// - Parameters:
  ///   - names: the parameters of the query, in addition to `profile`.
  ///   - limit: limit of the body in bytes.
  func form(
    _ request: PermittedRequest, _ names: [String] = [], limit: Int = FormBody.usualLimit,
    _ body: @escaping @Sendable (PageContext, FormBody) throws -> FormOutcome
  ) async throws -> Response {
    try await asyncForm(request, names, limit: limit) { context, form in
      try await status.history.writers.run { try body(context, form) }
    }
  }

  /// Answers a form whose processing waits for a child process.
  func asyncForm(
    _ request: PermittedRequest, _ names: [String] = [], limit: Int = FormBody.usualLimit,
    _ body: @Sendable (PageContext, FormBody) async throws -> FormOutcome
  ) async throws -> Response {
    let form = try await FormBody(request, limit: limit)
    let context = try await context(of: request, names)
    switch try await body(context, form) {
    case .redirect(let path): return Response(status: .seeOther, headers: [.location: path])
    case .page(let page): return Self.response(page, context)
    }
  }

  /// Answers with a page whose content waits for a child process.
  func asyncPage(
    _ request: PermittedRequest, _ names: [String] = [],
    _ body: @Sendable (PageContext) async throws -> Page
  ) async throws -> Response {
    let context = try await context(of: request, names)
    return Self.response(try await body(context), context)
  }

  private static func response(_ page: Page, _ context: PageContext) -> Response {
    let html = PageLayout(page: page, context: context).html
    return Response(page.status, "text/html; charset=utf-8", Array(html.text.utf8))
  }

  private func context(of request: PermittedRequest, _ names: [String]) async throws -> PageContext {
    let query = try QueryParameters(request, names + ["profile"])
    let accepted = request.request.headers[.acceptLanguage]
    return try await status.history.readers.run { try context(query, accepted) }
  }
}

/// The errors of a form by the name of the field.
struct FormErrors: Sendable, ExpressibleByDictionaryLiteral {
  private var messages: [(field: String, message: String)] = []

  init() {}

  init(dictionaryLiteral elements: (String, String)...) {
    for (field, message) in elements { add(message, for: field) }
  }

  var isEmpty: Bool { messages.isEmpty }

  mutating func add(_ message: String, for field: String) { messages.append((field, message)) }

  subscript(field: String) -> String? { messages.first { $0.field == field }?.message }

  /// The errors, if any, with links to their fields, above the form.
  func summary(_ context: PageContext) -> HTML? {
    guard !isEmpty else { return nil }
    let items = messages.map { "<li><a href=\"#\($0.field)\">\($0.message)</a></li>" as HTML }
    return """
      <div class="error" role="alert"><h2>\(context.localized("Please check your entries"))</h2><ul>\(items)</ul></div>
      """
  }
}
