import HeartRate
import History
import HummingbirdCore
import Localization
import Platform
import Reports
import Stress

/// The deletion of a session, or of the data of some days: a preview of what is deleted, then the deletion.
struct HistoryDeletionPage: Sendable {
  let renderer: PageRenderer

  private static let path = "/history/delete"

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await preview($0) },
      Endpoint("POST", Self.path) { try await delete($0) },
    ]
  }

  private func preview(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, DeletionChoice.names) { context in
      try Self.page(context, DeletionChoice(context) { context.query.texts($0) })
    }
  }

  private func delete(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, form in
      let choice = try DeletionChoice(context) { form.values($0) }
      guard let scope = choice.scope else { return .page(try Self.page(context, choice)) }
      let deletion = StoredDeletion(context.options.location)
      let deleted = try deletion.delete(scope)
      return .redirect(
        context.path(PageNotice.path("/history", deleted.isEmpty ? .kept : .deleted)))
    }
  }

  private static func page(_ context: PageContext, _ choice: DeletionChoice) throws -> Page {
    let content: HTML
    if context.isReadOnly {
      content = ReadOnlyNotice(context).html
    } else if let scope = choice.scope {
      let summary = try StoredDeletion(context.options.location).summary(scope)
      content = DeletionPreview(context: context, summary: summary).html(
        action: Self.path, fields: choice.fields, back: "/history")
    } else {
      content = DeletionForm(context: context, choice: choice).html
    }
    return Page(
      .history, title: context.localized("Delete data"), status: choice.errors.isEmpty ? 200 : 422,
      content: content)
  }
}

/// What a user chose to delete.
struct DeletionChoice: Sendable {
  static let names = ["session", "from", "to", "category", "preview"]

  /// Known once the choice is complete.
  private(set) var scope: DeletionScope?
  /// The choice as fields of the form that deletes it.
  private(set) var fields: [(name: String, value: String)] = []
  private(set) var errors = FormErrors()
  /// Only measurements of these categories are deleted; all data if it is empty.
  private(set) var categories: Set<StressCategory> = []

  init(_ context: PageContext, _ values: (String) -> [String]) throws {
    if let text = values("session").first, !text.isEmpty {
      fields = [("session", text)]
      scope = try HistoryDetailsPages.session(text, context).map { .session($0.info.id) }
      if scope == nil {
        errors.add(context.localized("This session does not exist, or it was deleted."), for: "from")
      }
      return
    }
    fields = ["from", "to"].map { ($0, values($0).first ?? "") }
    categories = Set(values("category").compactMap(StressCategory.init))
    guard values("from").first != nil || values("to").first != nil else { return }
    readDays(context)
    fields += StressCategory.allCases.filter(categories.contains).map { ("category", $0.rawValue) }
  }

  private mutating func readDays(_ context: PageContext) {
    let days = fields.map { day($0.value) }
    for (field, day) in zip(fields, days) where day == nil {
      errors.add(context.localized("Enter a date such as \("2026-11-21")."), for: field.name)
    }
    guard let first = days[0], let last = days[1] else { return }
    guard first <= last else {
      return errors.add(
        context.localized("The last day is before the first one. Enter a later date."), for: "to")
    }
    let calendar = LocalCalendar.system
    let times = calendar.start(ofDay: first)..<calendar.start(ofDay: last + 1)
    scope =
      categories.isEmpty
      ? .times(times, of: context.profile) : .measurements(categories, times, of: context.profile)
  }

  private func day(_ text: String) -> Int64? {
    guard text.utf8.count == 10 else { return nil }
    return WallTime(rfc3339: text + "T00:00:00Z").map { Int64($0.localDay(utcOffset: 0)) }
  }
}

/// The form that asks for the days and the categories to delete.
private struct DeletionForm: Sendable {
  let context: PageContext
  let choice: DeletionChoice

  var html: HTML {
    let values = Dictionary(choice.fields, uniquingKeysWith: { first, _ in first })
    let from = FormField("from", context.localized("First day"), error: choice.errors["from"])
    let to = FormField(
      "to", context.localized("Last day"), hint: context.localized("This day is included."),
      error: choice.errors["to"])
    return """
      \(choice.errors.summary(context))
      <form method="get" action="\(context.path("/history/delete"))" class="card stack">
      <p>\(context.localized("Choose the days whose sessions, measurements and journal entries are deleted. You see a preview first."))</p>
      <div class="fields">\(from.text(values["from"], type: "date"))\(to.text(values["to"], type: "date"))</div>
      \(categories)
      \(context.query.text("profile").map { "<input type=\"hidden\" name=\"profile\" value=\"\($0)\">" as HTML })
      <div class="row"><button class="primary">\(context.localized("Preview"))</button>\
      \(context.button("/history", context.localized("Cancel")))</div></form>
      <p class="quiet">\(context.localized("To delete one session, open it in the history. To delete everything, open the settings."))</p>
      """
  }

  private var categories: HTML {
    let options = StressCategory.allCases.map { category in
      (
        category.rawValue,
        "<span class=\"category \(category.rawValue)\">\(Icon.category(category)) \(context.language.word(category))</span>"
          as HTML
      )
    }
    return """
      \(FormChoices("category", context.localized("Only measurements of these categories"), isMultiple: true)
        .html(options, Set(choice.categories.map(\.rawValue))))
      <p class="quiet small">\(context.localized("Without a category, all data of the days are deleted. With one, the heartbeats are kept."))</p>
      """
  }
}
