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
    /// Empty without a measurement.
    case template(ValueTemplate)
  }

  let profile: String
  let form: Form
  let size: StatusSize
  let style: TerminalStyle

  /// The line with its line feed.
  func line(_ status: StatusReport?) -> String {
    switch form {
    case .text: text(status, size, style) + "\n"
    case .json:
      String(
        decoding: StatusReport.json(status, profile: profile, text: text(status, size, englishStyle)),
        as: UTF8.self)
    case .waybar: waybar(status)
    case .template(let template): (status.map { template.text(of: LiveValues($0)) } ?? "") + "\n"
    }
  }

  private func text(_ status: StatusReport?, _ size: StatusSize, _ style: TerminalStyle) -> String {
    status.map { StatusText(style: style).text($0, size) } ?? style.localized(StatusText.nothing)
  }

  /// The style of JSON, which does not depend on the locale.
  private var englishStyle: TerminalStyle {
    var style = style
    style.language = .english
    return style
  }

  /// The object of a waybar module with `"return-type": "json"`; text and tooltip are localized.
  private func waybar(_ status: StatusReport?) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("text", text(status, size, style))
      line.put("alt", status?.category?.rawValue ?? "none")
      line.put("tooltip", status.map(tooltip) ?? style.localized(StatusText.nothing))
      line.put("class", status.map(cssClass) ?? "none")
      if let stress = status?.stress, (0...100).contains(stress) {
        line.put("percentage", Int64(stress.rounded()))
      }
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  private func cssClass(_ status: StatusReport) -> String {
    guard status.isLive else { return "stale" }
    if let category = status.category { return category.rawValue }
    if status.collected != nil { return "collecting" }
    return switch status.measurement.suspension {
    case .moving, .exertion: "moving"
    case .irregularRhythm, nil: "none"
    }
  }

  private func tooltip(_ status: StatusReport) -> String {
    let lines = [
      text(status, .medium, style), status.insight.map(style.localized),
      status.otherNormalPhrase.map(style.localized),
      StatusText(style: style).heartRate(status),
      status.collected == nil ? style.confidence(status.confidence) : nil,
    ]
    return lines.compactMap { $0 }.joined(separator: "\n")
  }
}

extension StatusSize {
  /// The detail that the text contains.
  var detail: StatusSource.Detail {
    switch self {
    case .small: .measurement
    case .medium, .spoken: .trend
    case .large: .today
    }
  }
}
