import HeartRate
import JSONLines
import LiveSession
import Localization
import Reports
import Stress
import Terminal

/// A status as one line: text, JSON, or JSON for waybar.
struct StatusLine {
  enum Form {
    case text
    case json
    case waybar
  }

  let profile: String
  let form: Form
  let size: GlanceSize
  let style: TerminalStyle

  /// The line with its line feed.
  func line(_ status: StatusReport?) -> String {
    let glance = status.map { Glance($0) }
    return switch form {
    case .text: text(glance, size, style) + "\n"
    case .json:
      String(
        decoding: StatusReport.json(status, profile: profile, text: text(glance, size, englishStyle)),
        as: UTF8.self)
    case .waybar: waybar(glance)
    }
  }

  private func text(_ glance: Glance?, _ size: GlanceSize, _ style: TerminalStyle) -> String {
    glance.map { GlanceLine(style: style).text($0, size) } ?? style.localized(GlanceLine.nothing)
  }

  /// The style of JSON, which does not depend on the locale.
  private var englishStyle: TerminalStyle {
    var style = style
    style.language = .english
    return style
  }

  /// The object of a waybar module with `"return-type": "json"`; text and tooltip are localized.
  private func waybar(_ glance: Glance?) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("text", text(glance, size, style))
      line.put("alt", glance?.category?.rawValue ?? "none")
      line.put("tooltip", glance.map(tooltip) ?? style.localized(GlanceLine.nothing))
      line.put("class", glance.map(cssClass) ?? "none")
      if let stress = glance?.stress, (0...100).contains(stress) {
        line.put("percentage", Int64(stress.rounded()))
      }
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func cssClass(_ glance: Glance) -> String {
    guard glance.isLive else { return "stale" }
    if let category = glance.category { return category.rawValue }
    return glance.collected != nil ? "collecting" : glance.isMoving ? "moving" : "none"
  }

  private func tooltip(_ glance: Glance) -> String {
    let lines = [
      text(glance, .medium, style), glance.insight.map(style.localized), glance.normal.map(style.localized),
      GlanceLine(style: style).heartRate(glance),
      glance.collected == nil ? style.localized("confidence \(glance.confidence.fixed(2))") : nil,
    ]
    return lines.compactMap { $0 }.joined(separator: "\n")
  }
}

extension Glance {
  /// The view of a status.
  init(_ status: StatusReport) {
    self.init(
      freshness: Freshness(status.freshness), time: status.time, age: status.age, stress: status.stress,
      hrv: status.hrv, metric: status.metric, heartRate: status.heartRate,
      confidence: status.confidence,
      trend: status.trend.flatMap { Trend(rawValue: $0.rawValue) }, recent: status.recent,
      insight: status.insight, isSimulated: status.isSimulated)
    (meanHeartRate, suspension) = (status.meanHeartRate, status.suspension)
    interval = status.interval
    lowBattery = status.battery.flatMap { $0.isLow ? $0 : nil }
    normal = status.insight == status.normalPhrase ? nil : status.normalPhrase
    collected = status.collected.map { Collected(seconds: $0.seconds, required: $0.required) }
  }
}

extension Glance.Freshness {
  fileprivate init(_ freshness: StatusReport.Freshness) {
    switch freshness {
    case .live: self = .live
    case .stale(let reason): self = .stale(reason: reason)
    case .ended: self = .ended
    }
  }
}

extension GlanceSize {
  /// The detail that the text contains.
  var detail: StatusSource.Detail {
    switch self {
    case .small: .measurement
    case .medium, .spoken: .trend
    case .large: .today
    }
  }
}
