import History
import LiveFeed
import Localization

/// The data of one page request: its profile, its reader, the live values, and the language.
struct PageContext: Sendable {
  let query: QueryParameters
  let profile: String
  /// nil if nothing is stored yet.
  let reader: HistoryReader?
  /// The newest values of the profile's live session; nil without one.
  let live: FeedState?
  let language: Language
  /// Whether the server rejects requests that change something, so that pages contain no forms.
  let isReadOnly: Bool
  let options: DashboardOptions

  /// The text in the language of the page.
  func localized(_ text: Phrase.Template) -> String { language.text(Phrase(text)) }

  /// The text in the language of the page, in the plural form for `count`.
  func localized(_ one: Phrase.Template, _ many: Phrase.Template, count: Int) -> String {
    language.text(Phrase(one, many, count: count))
  }

  func localized(_ phrase: Phrase) -> String { language.text(phrase) }
}
