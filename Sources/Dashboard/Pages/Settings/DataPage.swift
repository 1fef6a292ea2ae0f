import History
import HummingbirdCore
import Localization
import Platform

/// All data: a copy of the database, and their deletion after a typed confirmation.
struct DataPage: Sendable {
  let renderer: PageRenderer

  private static let path = "/settings/data"

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await show($0) },
      Endpoint("POST", "\(Self.path)/delete") { try await delete($0) },
      Endpoint("GET", "\(Self.path)/export") { try await export($0) },
    ]
  }

  private func show(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, [PageNotice.parameter]) { try Self.page($0, entered: nil) }
  }

  private func export(_ request: PermittedRequest) async throws -> Response {
    _ = try QueryParameters(request, ["profile"])
    let date = LocalZone.text(SystemClock.wall).prefix(10)
    return try await renderer.status.history.download.response(
      ["--all"], name: "stressmon-\(date).db", to: request)
  }

  private func delete(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, form in
      let entered = form.value("confirmation") ?? ""
      guard entered == Self.word(context) else { return .page(try Self.page(context, entered: entered)) }
      _ = try StoredDeletion(context.options.location).delete(.everything)
      return .redirect(PageNotice.path("/settings", .deleted))
    }
  }

  /// The word that confirms the deletion, in the language of the page.
  private static func word(_ context: PageContext) -> String { context.localized("delete") }

  /// - Parameter entered: the confirmation if it was wrong.
  private static func page(_ context: PageContext, entered: String?) throws -> Page {
    let content: HTML = """
      \(PageNotice.html(context))
      <section class="card stack"><h2>\(context.localized("Export everything"))</h2>
      <p>\(context.localized("Downloads a copy of the database with all profiles. Restore it with: stressmon import"))</p>
      <div class="row">\(context.button("\(path)/export", context.localized("Download the database"), "primary"))</div></section>
      \(context.isReadOnly ? nil : try deletion(context, entered))
      <div class="row">\(context.backToSettings)</div>
      """
    return Page(
      .settings, title: context.localized("Data"), status: entered == nil ? 200 : 422, content: content)
  }

  private static func deletion(_ context: PageContext, _ entered: String?) throws -> HTML {
    let summary = try StoredDeletion(context.options.location).summary(.everything)
    let word = word(context)
    let confirmation = FormField(
      "confirmation", context.localized("To confirm, type: \(word)"),
      error: entered.map { _ in context.localized("Type this word to delete everything: \(word)") }
    ).text(entered, isRequired: true)
    return DeletionPreview(context: context, summary: summary).html(
      action: "\(path)/delete", back: "/settings", confirmation: confirmation)
  }
}
