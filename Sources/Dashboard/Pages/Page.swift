import HummingbirdCore
import Localization

/// A page: its title and its content. ``PageLayout`` adds the navigation and the rest of the document.
struct Page: Sendable {
  /// The entries of the navigation.
  enum Section: String, Sendable, CaseIterable {
    case now
    case breathe
    case history
    case trends
    case journal
    case settings

    var path: String { self == .now ? "/" : "/\(rawValue)" }
  }

  let title: String
  /// The first heading, if it differs from the title.
  var heading: String?
  /// The entry of the navigation that is marked as the current one; nil for a page outside the navigation.
  let section: Section?
  let content: HTML
  var status = 200
  /// Seconds after which a browser without script loads the page again; nil for never.
  var reloadSeconds: Int?

  init(_ section: Section?, title: String, status: Int = 200, content: HTML) {
    (self.section, self.title, self.status, self.content) = (section, title, status, content)
  }
}
