import Design
import HeartRate
package import LiveSession
package import Localization
import Stress

/// A status as one line of text. Values that are not live are in parentheses, with their age.
package struct StatusText: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  /// The text without any measurement.
  package static let nothing = Phrase("no measurement yet: stressmon measure")

  package func text(_ status: StatusReport, _ size: StatusSize) -> String {
    let name = status.person.map { "\($0.printable): " } ?? ""
    if size == .spoken { return name + SpokenStatus(style: style).text(status) }
    let line = joined(parts(status, size) + [age(status, size)] + remarks(status))
    let whole = name + (size == .large ? sparkline(status.recent) + line : line)
    return status.isLive ? whole : "(\(whole))"
  }

  /// The stress value with its age, without the parentheses of a status bar: `♣ 12 (0-31) Relaxed · 4 min ago`.
  package func today(_ status: StatusReport) -> String {
    let value =
      status.stress.map { style.stress($0, status.measurement.range) }
      ?? status.collected.map(collected) ?? withoutStress(status)
    return joined([value, age(status, .medium)] + remarks(status))
  }

  /// A low battery, and the simulated strap.
  private func remarks(_ status: StatusReport) -> [String?] {
    [
      status.lowBattery.map { style.localized("battery \($0.percent) %") },
      status.isSimulated ? style.localized("simulated") : nil,
    ]
  }

  private func joined(_ parts: [String?]) -> String {
    parts.compactMap(\.self).joined(separator: style.unicode ? " · " : " - ")
  }

  private func parts(_ status: StatusReport, _ size: StatusSize) -> [String?] {
    guard let stress = status.stress, let category = status.category, let mood = status.mood else {
      return [
        status.collected.map(collected)
          ?? withoutStress(status),
        heartRate(status),
      ]
    }
    switch size {
    case .small:
      let (icon, word) = (category.icon(unicode: style.unicode), style.word(category))
      let face = status.confidence >= Confidence.minimumForFace ? style.localized(mood.word) : nil
      return [style.coloured("\(icon) \(word)", category), face]
    case .medium:
      return [style.stress(stress, status.measurement.range), hrv(status)]
    case .large, .spoken:
      return [style.stress(stress, status.measurement.range)]
        + [status.insight, status.otherNormalPhrase].map { $0.map(style.localized) }
    }
  }

  /// `HR 62 bpm` for the current heart rate; `mean HR 62 bpm` if only the mean of the window is known.
  package func heartRate(_ status: StatusReport) -> String? {
    style.heartRate(latest: status.heartRate, windowMean: status.measurement.meanHeartRate)
  }

  private func withoutStress(_ status: StatusReport) -> String {
    status.measurement.suspension.map { style.localized($0.word) } ?? style.localized("no stress value")
  }

  /// `collecting data: 14 of 30 s`
  private func collected(_ data: StatusReport.Collected) -> String {
    let whole = min(data.seconds, data.required).rounded(.down)
    return style.localized("collecting data: \(whole.fixed(0)) of \(data.required.fixed(0)) s")
  }

  /// `HRV 48 ms ↑`
  private func hrv(_ status: StatusReport) -> String? {
    status.hrv.map { hrv in
      let arrow = status.trend.map { " " + (style.unicode ? $0.arrow : style.localized($0.word)) } ?? ""
      return "\(style.localized("HRV")) \(hrv.fixed(0)) ms\(arrow)"
    }
  }

  private func age(_ status: StatusReport, _ size: StatusSize) -> String? {
    let age = style.localized(Self.age(seconds: status.age))
    switch status.freshness {
    case .live: return size == .medium ? style.localized("now") : nil
    case .ended: return age
    case .stale(let reason): return reason.map { "\(style.localized($0)), \(age)" } ?? age
    }
  }

  /// One cell per value from 0 to 100; a space if nothing was measured.
  package func sparkline(_ values: [Double?]) -> String {
    guard values.contains(where: { $0 != nil }) else { return "" }
    let blocks: [Character] = style.unicode ? Array("▁▂▃▄▅▆▇█") : Array("_.-=^")
    let cells = values.map { value -> Character in
      value.map { blocks[min(blocks.count - 1, Int(min(max(0, $0), 100) / 100 * Double(blocks.count)))] }
        ?? " "
    }
    return String(cells.drop { $0 == " " }) + " "
  }
}

extension StatusText {
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

extension StatusReport {
  /// The charge of the strap's battery, if it is low.
  var lowBattery: BatteryLevel? { battery.flatMap { $0.isLow ? $0 : nil } }
}

/// The level of detail of a status.
package enum StatusSize: String, Sendable, CaseIterable {
  /// Mood and category.
  case small
  /// Stress, HRV with its trend, and age.
  case medium
  /// A sparkline of the last hours, stress, and one insight.
  case large
  /// Sentences for a screen reader.
  case spoken
}

extension StatusReport.Trend {
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
