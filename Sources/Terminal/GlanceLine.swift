import Design
import HeartRate
import LiveSession
package import Localization
import Stress

/// A ``Glance`` as one line of text. Values that are not live are in parentheses, with their age.
package struct GlanceLine: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// The text without any measurement.
  package static let nothing = Phrase("no measurement yet: stressmon measure")

  package func text(_ glance: Glance, _ size: GlanceSize) -> String {
    if size == .spoken { return SpokenGlance(style: style).text(glance) }
    let battery = glance.lowBattery.map { style.localized("battery \($0.percent) %") }
    let simulated = glance.isSimulated ? style.localized("simulated") : nil
    let parts = parts(glance, size) + [age(glance, size), battery, simulated]
    let line = parts.compactMap { $0 }.joined(separator: style.unicode ? " · " : " - ")
    let whole = size == .large ? sparkline(glance.recent) + line : line
    return glance.isLive ? whole : "(\(whole))"
  }

  private func parts(_ glance: Glance, _ size: GlanceSize) -> [String?] {
    guard let stress = glance.stress, let category = glance.category, let mood = glance.mood else {
      return [
        glance.collected.map(collected)
          ?? withoutStress(glance),
        heartRate(glance),
      ]
    }
    switch size {
    case .small:
      let (icon, word) = (category.icon(unicode: style.unicode), style.word(category))
      let face = glance.confidence >= Confidence.minimumForFace ? style.localized(mood.word) : nil
      return [style.coloured("\(icon) \(word)", category), face]
    case .medium:
      return [style.stress(stress, glance.interval), hrv(glance)]
    case .large, .spoken:
      return [style.stress(stress, glance.interval)]
        + [glance.insight, glance.normal].map { $0.map(style.localized) }
    }
  }

  /// `HR 62 bpm` for the current heart rate; `mean HR 62 bpm` if only the mean of the window is known.
  package func heartRate(_ glance: Glance) -> String? {
    if let rate = glance.heartRate { return style.localized("HR \(style.localized("\(rate.fixed(0)) bpm"))") }
    return glance.meanHeartRate.map { style.localized("mean HR \(style.localized("\($0.fixed(0)) bpm"))") }
  }

  private func withoutStress(_ glance: Glance) -> String {
    glance.suspension.map { style.localized($0.word) } ?? style.localized("no stress value")
  }

  /// `collecting data: 14 of 30 s`
  private func collected(_ data: Glance.Collected) -> String {
    let whole = min(data.seconds, data.required).rounded(.down)
    return style.localized("collecting data: \(whole.fixed(0)) of \(data.required.fixed(0)) s")
  }

  /// `RMSSD 48 ms ↑`
  private func hrv(_ glance: Glance) -> String? {
    glance.hrv.map { hrv in
      let arrow = glance.trend.map { " " + (style.unicode ? $0.arrow : style.localized($0.word)) } ?? ""
      return "\(glance.metric.rawValue.uppercased()) \(hrv.fixed(0)) ms\(arrow)"
    }
  }

  private func age(_ glance: Glance, _ size: GlanceSize) -> String? {
    let age = style.localized(Self.age(seconds: glance.age))
    switch glance.freshness {
    case .live: return size == .medium ? style.localized("now") : nil
    case .ended: return age
    case .stale(let reason): return reason.map { "\(style.localized($0)), \(age)" } ?? age
    }
  }

  /// One cell per quarter of an hour, from 0 to 100; a space if nothing was measured.
  private func sparkline(_ values: [Double?]) -> String {
    guard values.contains(where: { $0 != nil }) else { return "" }
    let blocks: [Character] = style.unicode ? Array("▁▂▃▄▅▆▇█") : Array("_.-=^")
    let cells = values.map { value -> Character in
      value.map { blocks[min(blocks.count - 1, Int(min(max(0, $0), 100) / 100 * Double(blocks.count)))] }
        ?? " "
    }
    return String(cells.drop { $0 == " " }) + " "
  }
}

extension GlanceLine {
  /// An age in the largest unit that fits at least once: `12 s ago`, `4 min ago`, `3 days ago`.
  static func age(seconds: Int64) -> Phrase {
    switch seconds {
    case ..<0: return Phrase("in the future")
    case ..<60: return Phrase("\(seconds) s ago")
    case ..<3600: return Phrase("\(seconds / 60) min ago")
    case ..<86_400: return Phrase("\(seconds / 3600) h ago")
    default:
      let days = Int(seconds / 86_400)
      return Phrase("\(days) day ago", "\(days) days ago", count: days)
    }
  }
}

extension Glance.Trend {
  var arrow: String {
    switch self {
    case .up: "↑"
    case .steady: "→"
    case .down: "↓"
    }
  }

  var word: Phrase {
    switch self {
    case .up: Phrase("up")
    case .steady: Phrase("steady")
    case .down: Phrase("down")
    }
  }
}
