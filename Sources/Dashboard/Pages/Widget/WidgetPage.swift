import HTTPTypes
import HeartRate
import HummingbirdCore
import LiveFeed
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
    let token = request.target.value("token")
    return try await renderer.document(request, ["size"]) { context in
      let size: Size = try context.query.word("size") ?? .small
      let model = try NowModel(context, renderer.status, activity: nil)
      return Widget(size: size, model: model, context: context, token: token).html
    }
  }
}

/// The document of the widget.
struct Widget: Sendable {
  let size: WidgetPage.Size
  let model: NowModel
  let context: PageContext
  /// The token of the URL, which the stream of events needs, too. A browser with the cookie needs none.
  let token: String?

  var html: HTML {
    """
    <!doctype html>
    <html lang="\(context.language.name)" class="overlay" data-theme="\(context.preferences.theme.rawValue)"\
     data-accent="\(context.preferences.accent.rawValue)" data-text-size="100"\
     data-motion="\(context.preferences.reducedMotion.rawValue)" data-now="\(PageContext.now)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(context.localized("Stress")) - stressmon</title>
    <link rel="stylesheet" href="/assets/style.css">
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
    <script src="/assets/app.js" defer></script>
    </head>
    <body>
    <main id="live" class="widget \(size.rawValue)"\(model.levels(isWidget: true))\
     data-size="\(size.rawValue)" data-state="\(model.state.rawValue)" data-profile="\(context.profile)"\
     data-session="\(model.feed?.session ?? "")" data-cursor="\(model.position.text)"\
     data-silence="\(Int(LiveLimits.silence / 1_000_000))" data-notice="\(model.notice.rawValue)"\(attribute: "data-link", model.feed?.link)\
     data-measured="\(model.report?.time.rfc3339 ?? "")" data-scores="\(NowPage.scores(model))"\
     data-words="\(ScriptWords.json(context))"\(attribute: "data-token", token)>
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
    let word = model.report?.category.map { CategoryMarks.word($0, context) }
    return """
      <p class="category"><span class="category-icons">\(CategoryMarks.icons)</span><span id="category-word">\
      \(word ?? context.localized("No stress value"))</span></p>
      """
  }

  private var hrv: HTML {
    """
    <p class="metric"><span class="metric-value number" data-value="rmssd_ms" data-decimals="0">\
    \(model.values.rmssd?.fixed(0) ?? "-")</span> <span>ms</span></p>
    """
  }

  private var updated: HTML {
    """
    <p class="small">\(context.localized("Updated")) <span data-age>\
    \(model.report.map { StateNotice.age($0.age, context) } ?? "-")</span></p>
    """
  }
}
