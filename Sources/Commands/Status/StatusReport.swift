import HeartRate
import JSONLines
import Localization
import Stress
import Terminal

/// A glance in the words of whoever asked: a status bar, waybar, a script.
struct StatusReport {
  enum Form {
    case text
    case json
    case waybar
  }

  let profile: String
  let form: Form
  let size: GlanceSize
  let style: TerminalStyle

  /// One line, with its line feed.
  func line(_ glance: Glance?) -> String {
    switch form {
    case .text: text(glance, size, style) + "\n"
    case .json: json(glance)
    case .waybar: waybar(glance)
    }
  }

  private func text(_ glance: Glance?, _ size: GlanceSize, _ style: TerminalStyle) -> String {
    glance.map { GlanceLine(style: style).text($0, size) } ?? style.localized(GlanceLine.nothing)
  }

  /// For programs: whatever the person speaks, the same.
  private var neutralStyle: TerminalStyle {
    var style = style
    style.language = .english
    return style
  }

  private func json(_ glance: Glance?) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("profile", profile)
      line.put("state", glance?.freshness.name ?? "nothing")
      line.put("stale", glance.map { !$0.isLive })
      line.put("time", glance?.time.rfc3339)
      line.put("age_s", glance?.age)
      line.put("stress", glance?.stress)
      line.put("category", glance?.category?.rawValue)
      line.put("buddy", glance?.mood?.rawValue)
      line.put("confidence", glance.flatMap { $0.collected == nil ? $0.confidence : nil })
      line.put("collected_s", glance?.collected?.seconds)
      line.put("required_s", glance?.collected?.required)
      line.put("hrv_metric", glance?.metric.rawValue)
      line.put("hrv_ms", glance?.hrv)
      line.put("hrv_trend", glance?.trend?.rawValue)
      line.put("mean_hr_bpm", glance?.heartRate)
      line.put("recent_stress", (glance?.recent ?? []).map { $0 ?? .nan })
      line.put("insight", glance?.insight.map { Language.english.text($0) })
      line.put("simulated", glance?.isSimulated)
      line.put("text", text(glance, size, neutralStyle))
    }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  /// What waybar's custom modules take with `"return-type": "json"`; text and tooltip are shown to a person.
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
    return glance.category?.rawValue ?? (glance.collected == nil ? "none" : "collecting")
  }

  private func tooltip(_ glance: Glance) -> String {
    let lines = [
      text(glance, .medium, style), glance.insight.map(style.localized),
      glance.heartRate.map { style.localized("HR \(style.localized("\($0.fixed(0)) bpm"))") },
      glance.collected == nil ? style.localized("confidence \(glance.confidence.fixed(2))") : nil,
    ]
    return lines.compactMap { $0 }.joined(separator: "\n")
  }
}

extension Glance.Freshness {
  fileprivate var name: String {
    switch self {
    case .live: "live"
    case .stale: "stale"
    case .ended: "ended"
    }
  }
}
