import History
import HummingbirdCore
import Localization
import Platform
import Reports

/// The data: the sessions of some days as a file, a copy of the database, and the deletion of a part or of everything.
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
    let query = try QueryParameters(request, ["profile", "from", "to", "format"])
    if let format: PeriodFormat = try query.word("format") { return try await export(format, query, request) }
    let date = LocalZone.text(SystemClock.wall).prefix(10)
    return try await renderer.status.history.download.response(
      ["--all"], name: "stressmon-\(date).db", to: request)
  }

  /// The formats of the sessions of a period.
  private enum PeriodFormat: String, CaseIterable {
    case csv
    case jsonl
  }

  private func export(_ format: PeriodFormat, _ query: QueryParameters, _ request: PermittedRequest)
    async throws
    -> Response
  {
    guard let first = try query.day("from"), let last = try query.day("to"), first <= last else {
      throw Problem.badParameter("from", expected: "a date such as 2026-11-21 that is not after 'to'")
    }
    let (from, to) = (TrendPeriod.date(first), TrendPeriod.date(last))
    let profile = try await renderer.status.history.readers.run {
      try renderer.context(query, nil).profile
    }
    return try await renderer.status.history.download.response(
      ["--format=\(format.rawValue)", "--from=\(from)", "--to=\(to)", "--profile=\(profile)"],
      name: "stressmon-\(from)-\(to).\(format.rawValue)", to: request)
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
      \(period(context))
      <section class="card stack"><h2>\(context.localized("Export everything"))</h2>
      <p>\(context.localized("Downloads a copy of the database with all profiles. It can be imported into an empty history."))</p>
      <div class="row">\(context.button("\(path)/export", context.localized("Download the database"), "primary"))</div></section>
      \(context.isReadOnly ? nil : part(context))
      \(context.isReadOnly ? nil : try deletion(context, entered))
      <div class="row">\(context.backToSettings)</div>
      """
    return Page(
      .settings, title: context.localized("Data"), status: entered == nil ? 200 : 422, content: content)
  }

  /// The form that exports the sessions of some days.
  private static func period(_ context: PageContext) -> HTML {
    let today = LocalCalendar.system.day(of: SystemClock.wall)
    let formats = [
      ("csv", context.localized("CSV, for spreadsheets")),
      ("jsonl", context.localized("JSON, one line per value")),
    ]
    let profile = context.query.text("profile").map {
      "<input type=\"hidden\" name=\"profile\" value=\"\($0)\">" as HTML
    }
    return """
      <section class="card stack"><h2>\(context.localized("Export some days"))</h2>
      <form method="get" action="\(path)/export" class="stack">\(profile)
      <div class="fields">\(FormField("from", context.localized("First day")).text(TrendPeriod.date(today - 29), type: "date", isRequired: true))\
      \(FormField("to", context.localized("Last day")).text(TrendPeriod.date(today), type: "date", isRequired: true))\
      \(FormField("format", context.localized("Format")).select(formats, nil))</div>
      <div class="row"><button class="primary">\(context.localized("Download"))</button></div></form></section>
      """
  }

  private static func part(_ context: PageContext) -> HTML {
    """
    <section class="card stack"><h2>\(context.localized("Delete a part"))</h2>
    <p>\(context.localized("Deletes some days, or the measurements of some categories. You see a preview first."))</p>
    <div class="row">\(context.button("/history/delete", context.localized("Choose")))</div></section>
    """
  }

  private static func deletion(_ context: PageContext, _ entered: String?) throws -> HTML {
    let summary = try StoredDeletion(context.options.location).summary(.everything)
    let word = word(context)
    let confirmation = FormField(
      "confirmation", context.localized("To confirm, type: \(word)"),
      error: entered.map { _ in context.localized("Type this word to delete everything: \(word)") }
    ).text(entered, isRequired: true)
    return DeletionPreview(context: context, summary: summary).html(
      heading: Phrase("Delete everything"), action: "\(path)/delete", back: "/settings",
      confirmation: confirmation)
  }
}
