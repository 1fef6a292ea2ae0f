import Localization

/// The document around the content of a page.
struct PageLayout: Sendable {
  let page: Page
  let context: PageContext

  var html: HTML {
    """
    <!doctype html>
    <html lang="\(context.language.name)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(page.title) - stressmon</title>
    </head>
    <body>
    <nav aria-label="\(context.localized("Pages"))"><ul>\(Page.Section.allCases.map(link))</ul></nav>
    <main id="content">
    <h1>\(page.title)</h1>
    \(page.content)
    </main>
    </body>
    </html>

    """
  }

  private func link(_ section: Page.Section) -> HTML {
    let current = section == page.section ? "page" : nil
    return "<li><a href=\"\(section.path)\"\(attribute: "aria-current", current)>\(name(section))</a></li>"
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
