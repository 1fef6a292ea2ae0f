import HeartRate
import LiveSession
import Localization
import Stress

/// A ``Glance`` as sentences for a screen reader.
struct SpokenGlance {
  let style: TerminalStyle

  func text(_ glance: Glance) -> String {
    let words = SpokenWords(style: style)
    if let data = glance.collected { return collecting(data, glance, words) }
    var sentences = [
      glance.stress.map { words.stress($0, glance.interval, confidence: glance.confidence) }
        ?? withoutStress(glance, words)
    ]
    sentences += [glance.hrv.map { words.hrv($0, glance.metric) }, glance.trend.map(trend)].compactMap { $0 }
    sentences += heart(glance, words).map { [$0] } ?? []
    sentences += glance.normal.map { [style.localized("Your normal range: \(style.localized($0)).")] } ?? []
    sentences.append(words.confidence(glance.confidence))
    sentences += [age(glance), battery(glance), glance.isSimulated ? style.localized("Simulated.") : nil]
      .compactMap { $0 }
    return sentences.joined(separator: " ")
  }

  private func withoutStress(_ glance: Glance, _ words: SpokenWords) -> String {
    glance.suspension.map(words.withoutLevel) ?? style.localized("No stress value.")
  }

  private func collecting(_ data: Glance.Collected, _ glance: Glance, _ words: SpokenWords) -> String {
    let sentences = [
      words.collecting(data.seconds, of: data.required), heart(glance, words), age(glance),
      battery(glance),
      glance.isSimulated ? style.localized("Simulated.") : nil,
    ]
    return sentences.compactMap { $0 }.joined(separator: " ")
  }

  private func heart(_ glance: Glance, _ words: SpokenWords) -> String? {
    glance.heartRate.map(words.heartRate) ?? glance.meanHeartRate.map(words.meanHeartRate)
  }

  private func battery(_ glance: Glance) -> String? {
    glance.lowBattery.map { style.localized("The strap's battery is low: \($0.percent) percent.") }
  }

  private func trend(_ trend: Glance.Trend) -> String {
    switch trend {
    case .up: style.localized("It is rising.")
    case .steady: style.localized("It is steady.")
    case .down: style.localized("It is falling.")
    }
  }

  private func age(_ glance: Glance) -> String? {
    let age = style.localized(Self.age(seconds: glance.age))
    switch glance.freshness {
    case .live: return nil
    case .ended, .stale(reason: nil): return style.localized("Not live: measured \(age).")
    case .stale(let reason?): return style.localized("Not live, \(style.localized(reason)): measured \(age).")
    }
  }

  /// The age as in ``GlanceLine``, with unabbreviated units.
  private static func age(seconds: Int64) -> Phrase {
    guard seconds >= 0 else { return Phrase("in the future") }
    let units = [(86_400, Unit.days), (3600, .hours), (60, .minutes), (1, .seconds)] as [(Int64, Unit)]
    let (length, unit) = units.first { seconds >= $0.0 } ?? (1, .seconds)
    let count = Int(seconds / length)
    return switch unit {
    case .days: Phrase("\(count) day ago", "\(count) days ago", count: count)
    case .hours: Phrase("\(count) hour ago", "\(count) hours ago", count: count)
    case .minutes: Phrase("\(count) minute ago", "\(count) minutes ago", count: count)
    case .seconds: Phrase("\(count) second ago", "\(count) seconds ago", count: count)
    }
  }

  private enum Unit { case days, hours, minutes, seconds }
}
