import HummingbirdCore
import Localization
import Platform

/// The document around the content of a page.
struct PageLayout: Sendable {
  let page: Page
  let context: PageContext
  /// Whether the request had a token. Without one, the navigation and the profile are left out.
  var isPermitted = true
  /// The path of the page that follows at once, if any.
  var next: String?

  var html: HTML {
    """
    <!doctype html>
    <html lang="\(context.language.name)"\(attributes)>
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    \(next.map { "<meta http-equiv=\"refresh\" content=\"0; url=\($0)\">" as HTML })<title>\(page.title) - stressmon</title>
    <link rel="stylesheet" href="/assets/style.css">
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <script src="/assets/app.js" defer></script>\(reload)
    </head>
    <body>
    <svg class="visually-hidden" aria-hidden="true" focusable="false">\(CategoryMarks.patterns)</svg>
    <a class="skip" href="#content">\(context.localized("Skip to content"))</a>
    \(isPermitted ? header : nil)
    <main id="content" tabindex="-1">\(isPermitted ? trouble : nil)
    <h1>\(page.heading ?? page.title)</h1>
    \(page.content)
    </main>
    \(isPermitted ? footer : nil)
    <p id="announcer" class="visually-hidden" role="status" aria-live="polite"></p>
    </body>
    </html>

    """
  }

  private var reload: HTML? {
    page.reloadSeconds.map { "<noscript><meta http-equiv=\"refresh\" content=\"\($0)\"></noscript>" }
  }

  /// The script shows it while the server does not answer, or rejects the page.
  private var trouble: HTML {
    """
    <p id="trouble" class="notice" hidden\
     data-unreachable="\(context.localized("The server does not answer, and this page shows nothing new. It continues when stressmon runs again on its computer."))"\
     data-denied="\(context.localized("This browser is no longer logged in, and this page shows nothing new. Load the page again to see how to log in."))"></p>
    """
  }

  /// The preferences, for the selectors of the style sheet.
  private var attributes: HTML {
    let preferences = context.preferences
    return """
      \(attribute: "class", page.isFullScreen ? "full" : nil)\
       data-theme="\(preferences.theme.rawValue)" data-accent="\(preferences.accent.rawValue)"\
       data-text-size="\(preferences.textSize)" data-motion="\(preferences.reducedMotion.rawValue)"
      """
  }

  private var header: HTML {
    """
    <header class="site-header">
    <a class="brand" href="\(context.path("/"))">\(Icon.heart) stressmon</a>
    \(page.isFullScreen ? nil : navigation)
    <a class="button help" href="\(context.path("/calm"))">\(Icon.help) <span>\(context.localized("I need help now"))</span></a>
    </header>
    """
  }

  private var navigation: HTML {
    """
    <nav aria-label="\(context.localized("Pages"))"><ul>\(Page.Section.allCases.map(link))\(more)</ul></nav>
    """
  }

  private var footer: HTML? {
    guard !page.isFullScreen else { return nil }
    let readOnly =
      context.isReadOnly
      ? "<span class=\"tag\">\(context.localized("Read-only: this server changes nothing"))</span> " as HTML
      : nil
    return """
      <footer class="site-footer">
      <p>\(readOnly)\(context.localized("Profile: \(context.profile)")) - stressmon \(programVersion)</p>
      </footer>
      """
  }

  private func link(_ section: Page.Section) -> HTML {
    let current = section == page.section ? "page" : nil
    let path = context.path(section.path)
    return """
      <li\(attribute: "class", section.isBeyondBar ? "beyond" : nil)><a href="\(path)"\(attribute: "aria-current", current)>\
      \(section.icon)<span>\(name(section))</span></a></li>
      """
  }

  /// The last entry of the bar of a phone, in place of the sections that have no room there.
  private var more: HTML {
    let current = page.section?.isBeyondBar ?? false ? "page" : nil
    return """
      <li class="more"><a href="\(context.path("/settings"))"\(attribute: "aria-current", current)>\(Icon.list)\
      <span>\(context.localized("More"))</span></a></li>
      """
  }

  private func name(_ section: Page.Section) -> String {
    switch section {
    case .now: context.localized("Now")
    case .breathe: context.localized("Breathe")
    case .history: context.localized("History")
    case .trends: context.localized("Trends")
    case .journal: context.localized("Journal")
    case .settings: context.localized("Settings")
    }
  }
}

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

    /// Whether the bar of a phone contains the section only behind "More", the page Settings.
    var isBeyondBar: Bool { self == .journal || self == .settings }

    var path: String { self == .now ? "/" : "/\(rawValue)" }
  }

  let title: String
  /// The first heading, if it differs from the title.
  var heading: String?
  /// The entry of the navigation that is marked as the current one, if the page has one.
  let section: Section?
  let content: HTML
  var status = 200
  /// Seconds after which a browser without script loads the page again. By default, it never does.
  var reloadSeconds: Int?
  /// Whether the content fills the screen, without navigation.
  var isFullScreen = false

  init(_ section: Section?, title: String, status: Int = 200, content: HTML) {
    (self.section, self.title, self.status, self.content) = (section, title, status, content)
  }
}
