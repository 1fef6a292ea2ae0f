import HeartRate
import History
import HummingbirdCore
import Localization
import Platform
import Reports
import Stress

/// The page Journal: which triggers are associated with stress, a form for a new entry, and the entries.
struct JournalPage: Sendable {
  let renderer: PageRenderer

  private static let names = ["before", "day", "search", PageNotice.parameter]
  /// Number of the entries of a page.
  private static let length = 30

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/journal") { try await list($0) },
      Endpoint("POST", "/journal") { try await add($0) },
    ] + JournalEntryPages(renderer: renderer).endpoints
  }

  private func list(_ request: PermittedRequest) async throws -> Response {
    try await renderer.page(request, Self.names) { context in
      try Self.page(context, EntryDraft(day: try context.query.day("day")))
    }
  }

  private func add(_ request: PermittedRequest) async throws -> Response {
    try await renderer.form(request, Self.names, limit: JournalAPI.longestBody) { context, form in
      let draft = EntryDraft(form, context)
      guard draft.errors.isEmpty else { return .page(try Self.page(context, draft)) }
      let now = SystemClock.wall
      var entry = JournalEntry(profile: context.profile, time: now, utcOffset: LocalZone(at: now).utcOffset)
      draft.apply(to: &entry)
      _ = try HistoryWriter(context.options.location).addToJournal(entry)
      return .redirect(context.path(PageNotice.path("/journal", .added)))
    }
  }

  private static func page(_ context: PageContext, _ draft: EntryDraft) throws -> Page {
    if let text = context.query.text("search"), text.contains(where: { !$0.isWhitespace }) {
      return try found(context, text)
    }
    let before = context.query.text("before").flatMap { Int64($0) }.map { WallTime(microseconds: $0) }
    let times = HistoryFilter.always.lowerBound..<(before ?? HistoryFilter.always.upperBound)
    let entries = try context.reader?.journal(of: context.profile, in: times, limit: length) ?? []
    let form =
      context.isReadOnly || before != nil
      ? nil
      : EntryForm(context: context, draft: draft, known: try knownTriggers(context)).html(
        action: "/journal", button: context.localized("Add to the journal"))
    let list = entries.isEmpty ? nothing(context) : self.list(context, entries)
    let content: HTML = """
      \(PageNotice.html(context))\(draft.errors.summary(context))
      \(before == nil ? try JournalInsights(context).html : nil)
      \(form)
      \(entries.isEmpty ? nil : search(context))
      \(list)
      """
    return Page(
      .journal, title: context.localized("Journal"), status: draft.errors.isEmpty ? 200 : 422,
      content: content)
  }

  /// The entries whose note or triggers contain a text.
  private static func found(_ context: PageContext, _ text: String) throws -> Page {
    let all =
      try context.reader?.journal(of: context.profile, in: HistoryFilter.always).filter { $0.contains(text) }
      ?? []
    let entries = EntryList(context: context, entries: all.suffix(mostFound).reversed()).html
    let count = context.localized("\(all.count) entry", "\(all.count) entries", count: all.count)
    let content: HTML = """
      \(search(context, text))
      <section class="stack" aria-labelledby="entries"><h2 id="entries">\(context.localized("Entries with “\(text)”"))</h2>
      <p class="quiet" role="status">\(count)</p>
      \(entries)
      <div class="row">\(context.button("/journal", context.localized("All entries")))</div></section>
      """
    return Page(.journal, title: context.localized("Journal"), content: content)
  }

  /// Number of the newest entries that a search shows.
  private static let mostFound = 200
  private static let longestSearch = 100

  private static func search(_ context: PageContext, _ text: String? = nil) -> HTML {
    let profile = context.query.text("profile").map {
      "<input type=\"hidden\" name=\"profile\" value=\"\($0)\">" as HTML
    }
    return """
      <form method="get" action="/journal" role="search" class="row search">\(profile)\
      \(FormField("search", context.localized("Search in notes and triggers")).text(text, type: "search", longest: longestSearch))
      <button>\(context.localized("Search"))</button></form>
      """
  }

  /// The triggers of the latest entries, the most frequent first.
  static func knownTriggers(_ context: PageContext) throws -> [String] {
    let entries = try context.reader?.journal(of: context.profile, limit: 200) ?? []
    let counts = Dictionary(entries.flatMap(\.triggers).map { ($0, 1) }, uniquingKeysWith: +)
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8).map(\.key)
  }

  private static func nothing(_ context: PageContext) -> HTML {
    EmptyState(
      context.localized("No journal entries yet"),
      advice: context.localized(
        "Note your mood and what affects you, such as coffee or work. After some entries you see what is associated with your stress."
      )
    ).html
  }

  /// The entries, the newest first.
  private static func list(_ context: PageContext, _ entries: [JournalEntry]) -> HTML {
    let older =
      entries.count == length
      ? entries.first.map {
        context.button("/journal?before=\($0.time.microseconds)", context.localized("Older"))
      } : nil
    return """
      <section class="stack" aria-labelledby="entries"><h2 id="entries">\(context.localized("Entries"))</h2>
      \(EntryList(context: context, entries: entries.reversed()).html)\(older)</section>
      """
  }
}

/// Entries by day, in the given order.
struct EntryList: Sendable {
  let context: PageContext
  let entries: [JournalEntry]

  var html: HTML {
    let days = Dictionary(grouping: entries) { LocalCalendar.system.day(of: $0.time) }
    return "\(days.sorted { $0.key > $1.key }.map { card($0.value) })"
  }

  /// The entries of one day.
  private func card(_ entries: [JournalEntry]) -> HTML {
    let day = context.language.date(LocalCalendar.system.dayText(entries[0].time))
    let rows = entries.map { EntryView(context: context, entry: $0).html }
    return "<div class=\"card\"><h3>\(day)</h3><ol class=\"items entries\">\(rows)</ol></div>"
  }
}

/// An entry of the list.
private struct EntryView {
  let context: PageContext
  let entry: JournalEntry

  var html: HTML {
    """
    <li>\(context.minutes(entry.time))\(mood)\(triggers)\(edit)\(note)</li>
    """
  }

  private var mood: HTML? {
    entry.mood.map {
      """
      <span class="row tight">\(MoodFace($0).html)<strong>\(context.localized("mood \($0.rating), \($0.name)"))</strong></span>
      """
    }
  }

  private var triggers: HTML? {
    entry.triggers.isEmpty
      ? nil
      : "<span class=\"row tight\">\(entry.triggers.map { "<span class=\"tag\">\($0)</span>" as HTML })</span>"
  }

  /// Characters of a note in the list; a longer one is closed.
  private static let longestNote = 240

  private var note: HTML? {
    guard let note = entry.note else { return nil }
    guard note.count > Self.longestNote else { return "<p class=\"note\">\(note)</p>" }
    return """
      <details class="note"><summary><span>\(String(note.prefix(Self.longestNote / 2)))\u{2026}</span></summary><p class="note">\(note)</p></details>
      """
  }

  private var edit: HTML? {
    guard !context.isReadOnly else { return nil }
    let label = context.localized("Edit the entry of \(context.text(entry.time))")
    return """
      <a class="button plain" href="\(context.path("/journal/entries/\(entry.id)"))" aria-label="\(label)">\(Icon.pen)</a>
      """
  }
}
