import HTTPTypes
import HeartRate
import HummingbirdCore
import LiveSession
import Localization
import Reports
import Stress

/// The overlay for OBS and desktop widgets: a page with a transparent background that contains only the value.
struct WidgetPage: Sendable {
  let renderer: PageRenderer

  enum Size: String, Sendable, CaseIterable {
    case small
    case medium
    case large
  }

  var endpoints: [Endpoint] { [Endpoint("GET", "/widget") { try await page($0) }] }

  private func page(_ request: PermittedRequest) async throws -> Response {
    return try await renderer.document(request, ["size"]) { context in
      let size: Size = try context.query.word("size") ?? .small
      let model = try NowModel(context, renderer.status, activity: nil)
      return Widget(size: size, model: model, context: context).html
    }
  }
}

/// The document of the widget.
struct Widget: Sendable {
  let size: WidgetPage.Size
  let model: NowModel
  let context: PageContext

  var html: HTML {
    """
    <!doctype html>
    <html lang="\(context.language.name)" class="overlay" data-theme="\(context.preferences.theme.rawValue)"\
     data-accent="\(context.preferences.accent.rawValue)" data-text-size="100"\
     data-motion="\(context.preferences.reducedMotion.rawValue)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(context.localized("Stress")) - stressmon</title>
    <link rel="stylesheet" href="/assets/style.css">
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <script src="/assets/app.js" defer></script>
    </head>
    <body>
    <main id="live" class="widget \(size.rawValue)"\(model.attributes(isWidget: true)) data-size="\(size.rawValue)" data-values="">
    <h1 class="visually-hidden">\(context.localized("Stress"))</h1>
    \(content)\(model.report?.isSimulated ?? model.feed?.isSimulated ?? false ? context.simulatedTag : nil)
    </main>
    </body>
    </html>

    """
  }

  private var content: HTML {
    switch size {
    case .small: "\(buddy)\(category)"
    case .medium: "\(buddy)<div>\(hrv)\(category)\(updated)</div>"
    case .large:
      "\(buddy)\(LiveCharts(model: model, context: context).sparkline)<div class=\"row between\">\(category)\(hrv)</div>\(updated)"
    }
  }

  private var buddy: HTML { BuddyPicture.html }

  private var category: HTML {
    let word = model.report?.categoryWord(context) ?? context.localized("No stress value")
    return """
      <p class="category"><span class="category-icons">\(CategoryMarks.icons)</span><span id="category-word" data-live>\(word)</span></p>
      """
  }

  private var hrv: HTML {
    """
    <p class="metric" id="metric-rmssd" data-live><span class="metric-value number">\(model.measurement?.rmssd?.fixed(0) ?? "-")</span>\
     <span>ms</span></p>
    """
  }

  private var updated: HTML {
    """
    <p class="small" id="updated" data-live>\(context.localized("Updated")) \
    \(model.report.map { StateNotice.age($0.age, context) } ?? "-")</p>
    """
  }
}
