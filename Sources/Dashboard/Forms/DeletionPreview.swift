import HeartRate
import History
import Localization
import Platform

/// Deletes stored data permanently.
struct StoredDeletion: Sendable {
  private let eraser: HistoryEraser

  init(_ location: StoreLocation) { eraser = HistoryEraser(location) }

  /// What would be deleted.
  func summary(_ scope: DeletionScope) throws -> DeletionSummary {
    try eraser.summary(of: scope, at: SystemClock.wall)
  }

  func delete(_ scope: DeletionScope) throws -> DeletionSummary {
    try eraser.delete(scope, today: LocalZone.today, at: SystemClock.wall)
  }
}

/// The preview of a deletion, with the button that confirms it.
struct DeletionPreview: Sendable {
  let context: PageContext
  let summary: DeletionSummary

  /// - Parameters:
  ///   - action: the path of the form.
  ///   - fields: hidden fields of the form.
  ///   - back: the path of the page without a deletion.
  ///   - confirmation: a field that has to be filled in.
  func html(
    heading: Phrase = Phrase("This is deleted permanently"), action: String,
    fields: [(name: String, value: String)] = [], back: String, confirmation: HTML? = nil
  ) -> HTML {
    guard !summary.isEmpty else { return "\(running)\(nothing(back))" }
    let hidden = fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML }
    return """
      \(running)
      <section class="card stack"><h2>\(context.localized(heading))</h2>
      <ul>\(items.map { "<li>\($0)</li>" as HTML })</ul>
      <p>\(context.localized("It cannot be undone. The data are erased from the file of the database, too."))</p>
      <form method="post" action="\(context.path(action))" class="stack">\(hidden)\(confirmation)\
      <div class="row"><button class="danger">\(context.localized("Delete permanently"))</button>\
      \(context.button(back, context.localized("Keep the data")))</div></form></section>
      """
  }

  private func nothing(_ back: String) -> HTML {
    EmptyState(
      context.localized("There is nothing to delete"),
      advice: context.localized("No stored data belong to this selection."),
      action: context.button(back, context.localized("Back"))
    ).html
  }

  /// Running sessions cannot be deleted.
  private var running: HTML? {
    guard !summary.running.isEmpty else { return nil }
    return
      "<p class=\"notice\">\(context.localized("A running session is kept. Stop it first to delete it."))</p>"
  }

  private var items: [HTML] {
    var lines = summary.profiles.map { context.localized("the profile \($0) with its baseline and straps") }
    let counts: [(Int, String)] = [
      (
        summary.sessions,
        context.localized(
          "\(summary.sessions) session", "\(summary.sessions) sessions", count: summary.sessions)
      ),
      (
        summary.cutSessions,
        context.localized(
          "a part of \(summary.cutSessions) session", "parts of \(summary.cutSessions) sessions",
          count: summary.cutSessions)
      ),
      (
        summary.events,
        context.localized(
          "\(summary.events) stored event", "\(summary.events) stored events", count: summary.events)
      ),
      (
        summary.measurements,
        context.localized(
          "\(summary.measurements) measurement", "\(summary.measurements) measurements",
          count: summary.measurements)
      ),
      (
        summary.journalEntries,
        context.localized(
          "\(summary.journalEntries) journal entry", "\(summary.journalEntries) journal entries",
          count: summary.journalEntries)
      ),
    ]
    lines += counts.filter { $0.0 > 0 }.map(\.1)
    let times = summary.times.map { times in
      let (first, last) = (context.text(times.lowerBound), context.text(times.upperBound))
      return context.localized("from \(first) to \(last)")
    }
    return (lines + [times].compactMap(\.self)).map { "\($0)" }
  }
}

/// Shown instead of a form when the server is read-only.
struct ReadOnlyNotice: Sendable {
  let context: PageContext

  init(_ context: PageContext) { self.context = context }

  var html: HTML {
    EmptyState(
      context.localized("This server is read-only"),
      advice: context.localized(
        "The server shows your data and changes nothing. To permit changes, start the server without the read-only option."
      ),
      action: context.button("/history", context.localized("Back to the history"))
    ).html
  }
}
