import HTTPTypes
import HeartRate
import HummingbirdCore
import LiveSession
import Localization
import Reports
import Stress

/// The overlay for OBS and desktop widgets: a page with a transparent background that contains only the values.
struct WidgetPage: Sendable {
  let renderer: PageRenderer

  var endpoints: [Endpoint] { [Endpoint("GET", "/widget") { try await page($0) }] }

  private func page(_ request: PermittedRequest) async throws -> Response {
    var response = try await renderer.document(request, ["size", "show", "background"]) { context in
      try Widget(
        options: WidgetOptions(context.query), model: NowModel(context, renderer.status, activity: nil),
        context: context
      ).html
    }
    response.headers[.contentSecurityPolicy] = SecurityHeaders.widgetPolicy
    return response
  }
}

/// What the widget shows: `?size=medium&show=hr,stress&background=soft`.
struct WidgetOptions: Equatable, Sendable {
  enum Size: String, Sendable, CaseIterable {
    case small
    case medium
    case large
  }

  enum Part: String, Sendable, CaseIterable {
    case heartRate = "hr"
    case stress
    case trend
    case hrv
    case buddy
  }

  enum Background: String, Sendable, CaseIterable {
    /// Transparent, without a frame.
    case none
    case soft
    /// The hue of the category.
    case category
  }

  var size: Size
  var parts: [Part]
  var background: Background

  init(_ size: Size, _ background: Background = .category) {
    (self.size, self.background) = (size, background)
    parts =
      switch size {
      case .small: [.heartRate, .stress]
      case .medium: [.buddy, .heartRate, .stress, .trend]
      case .large: Part.allCases
      }
  }

  init(_ query: QueryParameters) throws(Problem) {
    self.init(try query.word("size") ?? .small, try query.word("background") ?? .category)
    guard let text = query.text("show") else { return }
    parts = try Self.parts(text)
  }

  private static func parts(_ text: String) throws(Problem) -> [Part] {
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let parts = words.compactMap { Part(rawValue: String($0)) }
    guard parts.count == words.count, Set(parts).count == parts.count else {
      throw .badParameter(
        "show", expected: "some of \(Part.allCases.map(\.rawValue).joined(separator: ",")), each once")
    }
    return parts
  }
}

/// The document of the widget.
struct Widget: Sendable {
  let options: WidgetOptions
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
    <main id="live"\(attributes) data-values="">
    <h1 class="visually-hidden">\(context.localized("Stress"))</h1>
    \(content)
    </main>
    </body>
    </html>

    """
  }

  /// The attributes of the element around ``content``.
  var attributes: HTML {
    """
     class="widget \(options.size.rawValue) on-\(options.background.rawValue)"\(model.attributes(isWidget: true))\
     data-size="\(options.size.rawValue)"
    """
  }

  var content: HTML {
    """
    \(options.parts.contains(.buddy) ? BuddyPicture.html : nil)
    <div class="widget-values">\(options.parts.filter { $0 != .buddy }.map(part))\(state)</div>
    """
  }

  private func part(_ part: WidgetOptions.Part) -> HTML {
    switch part {
    case .heartRate:
      value("hr", Icon.heart, isCurrent ? model.heartRate : nil, context.localized("bpm"))
    case .stress: stress
    case .hrv: value("hrv", "\(context.localized("HRV"))", isCurrent ? model.measurement?.rmssd : nil, "ms")
    case .trend: trend
    case .buddy: ""
    }
  }

  /// Values that are not live are withdrawn.
  private var isCurrent: Bool { model.state == .live || model.state == .collecting }
  private var report: StatusReport? { model.state == .live ? model.report : nil }

  private func value(_ id: String, _ name: HTML, _ value: Double?, _ unit: String) -> HTML {
    """
    <p class="metric" id="widget-\(id)" data-live>\(name) <span class="metric-value number">\(value?.fixed(0) ?? "-")</span>\
     <span>\(unit)</span></p>
    """
  }

  private var stress: HTML {
    """
    <p class="metric" id="widget-stress" data-live>\(context.localized("Stress"))\
     <span class="metric-value number">\(report?.stress?.fixed(0) ?? "-")</span> <span class="category">\
    <span class="category-icons">\(CategoryMarks.icons)</span>\(report?.categoryWord(context) ?? context.localized("No stress value"))</span></p>
    """
  }

  /// The stress of the last five minutes: an arrow with its word, and in the large widget a curve.
  private var trend: HTML {
    var trend = LiveTrend()
    for score in model.beats.scores { trend.add(score.stress, at: score.time) }
    let arrow = isCurrent ? trend.direction(step: 5).map { NowValues.arrow($0, context) } : nil
    return """
      \(options.size == .large ? LiveCharts(model: model, context: context).sparkline(isShown: isCurrent) : nil)\
      <p id="widget-trend" data-live\(attribute: "hidden", if: arrow == nil)>\(arrow)</p>
      """
  }

  /// The age of values that are not live, and the mark of simulated ones.
  private var state: HTML {
    let isSimulated = model.report?.isSimulated ?? model.feed?.isSimulated ?? false
    let age = model.report.map { "\(context.localized("Updated")) \(StateNotice.age($0.age, context))" }
    return """
      <p class="small" id="updated" data-live>\(isCurrent ? nil : age.map { "\($0)" as HTML })\
      \(isSimulated ? context.simulatedTag : nil)</p>
      """
  }
}
