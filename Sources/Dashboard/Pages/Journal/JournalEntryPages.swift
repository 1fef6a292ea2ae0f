import History
import HummingbirdCore
import Localization
import Platform
import Reports

/// Changes and deletes one journal entry.
struct JournalEntryPages: Sendable {
  let renderer: PageRenderer

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/journal/entries/*") { try await show($0) },
      Endpoint("POST", "/journal/entries/*") { try await edit($0) },
      Endpoint("GET", "/journal/delete/*") { try await preview($0) },
      Endpoint("POST", "/journal/delete/*") { try await delete($0) },
    ]
  }

  private func show(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request) { context in
      guard let entry = try Self.entry(request, context) else { return Self.missing(context) }
      return try Self.page(context, entry, EntryDraft(entry))
    }
  }

  private func edit(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request, limit: JournalAPI.longestBody) { context, form in
      guard let entry = try Self.entry(request, context) else { return .page(Self.missing(context)) }
      let draft = EntryDraft(form, context)
      guard draft.errors.isEmpty else { return .page(try Self.page(context, entry, draft)) }
      let writer = try HistoryWriter(context.options.location)
      _ = try writer.editJournal(entry.id, of: context.profile) { draft.apply(to: &$0) }
      return .redirect(context.path(PageNotice.path("/journal", .changed)))
    }
  }

  private func preview(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request) { context in
      guard let entry = try Self.entry(request, context) else { return Self.missing(context) }
      return Page(
        .journal, title: context.localized("Delete the journal entry"),
        content: try Self.preview(context, entry))
    }
  }

  private static func preview(_ context: PageContext, _ entry: JournalEntry) throws -> HTML {
    guard !context.isReadOnly else { return ReadOnlyNotice(context).html }
    let scope = DeletionScope.journalEntry(entry.id, of: context.profile)
    let summary = try StoredDeletion(context.options.location).summary(scope)
    return DeletionPreview(context: context, summary: summary).html(
      action: "/journal/delete/\(entry.id)", back: "/journal")
  }

  private func delete(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request) { context, _ in
      guard let entry = try Self.entry(request, context) else { return .page(Self.missing(context)) }
      let scope = DeletionScope.journalEntry(entry.id, of: context.profile)
      _ = try StoredDeletion(context.options.location).delete(scope)
      return .redirect(context.path(PageNotice.path("/journal", .deleted)))
    }
  }

  private static func entry(_ request: PermittedRequest, _ context: PageContext) throws -> JournalEntry? {
    guard let id = Int64(request.identifier), id > 0 else { return nil }
    return try context.reader?.journalEntry(id, of: context.profile)
  }

  private static func page(_ context: PageContext, _ entry: JournalEntry, _ draft: EntryDraft) throws -> Page
  {
    let content: HTML
    if context.isReadOnly {
      content = EntryList(context: context, entries: [entry]).html
    } else {
      let form = EntryForm(context: context, draft: draft, known: try JournalPage.knownTriggers(context))
      content = """
        \(draft.errors.summary(context))<p>\(context.time(entry.time))</p>
        \(form.html(action: "/journal/entries/\(entry.id)", button: context.localized("Save changes")))
        <div class="row between">\(context.button("/journal", context.localized("Back to the journal")))\
        \(context.button("/journal/delete/\(entry.id)", context.localized("Delete this entry"), "danger"))</div>
        """
    }
    let name = context.localized("Journal entry")
    var page = Page(
      .journal, title: "\(name) \(context.text(entry.time))", status: draft.errors.isEmpty ? 200 : 422,
      content: content)
    page.heading = name
    return page
  }

  private static func missing(_ context: PageContext) -> Page {
    let content = EmptyState(
      context.localized("Not found"),
      advice: context.localized("This entry does not exist, or it was deleted."),
      action: context.button("/journal", context.localized("Back to the journal"))
    ).html
    return Page(.journal, title: context.localized("Not found"), status: 404, content: content)
  }
}
