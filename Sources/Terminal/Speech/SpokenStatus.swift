import HeartRate
import LiveSession
import Localization
import Stress

/// A ``StatusReport`` as sentences for a screen reader.
struct SpokenStatus {
  let style: TerminalStyle

  func text(_ status: StatusReport) -> String {
    let words = SpokenWords(style: style)
    if let data = status.collected { return collecting(data, status, words) }
    var sentences = [
      status.stress.map { words.stress($0, status.measurement.range, confidence: status.confidence) }
        ?? withoutStress(status, words)
    ]
    sentences += [status.hrv.map { words.hrv($0) }, status.trend.map(trend)].compactMap { $0 }
    sentences += heart(status, words).map { [$0] } ?? []
    sentences +=
      status.otherNormalPhrase.map { [style.localized("Your normal range: \(style.localized($0)).")] } ?? []
    sentences.append(words.confidence(status.confidence))
    sentences += [age(status), battery(status), status.isSimulated ? style.localized("Simulated.") : nil]
      .compactMap { $0 }
    return sentences.joined(separator: " ")
  }

  private func withoutStress(_ status: StatusReport, _ words: SpokenWords) -> String {
    status.measurement.suspension.map(words.withoutLevel) ?? style.localized("No stress value.")
  }

  private func collecting(_ data: StatusReport.Collected, _ status: StatusReport, _ words: SpokenWords)
    -> String
  {
    let sentences = [
      words.collecting(data.seconds, of: data.required), heart(status, words), age(status),
      battery(status),
      status.isSimulated ? style.localized("Simulated.") : nil,
    ]
    return sentences.compactMap { $0 }.joined(separator: " ")
  }

  private func heart(_ status: StatusReport, _ words: SpokenWords) -> String? {
    status.heartRate.map(words.heartRate) ?? status.measurement.meanHeartRate.map(words.meanHeartRate)
  }

  private func battery(_ status: StatusReport) -> String? {
    status.lowBattery.map { style.localized("The strap's battery is low: \($0.percent) percent.") }
  }

  private func trend(_ trend: StatusReport.Trend) -> String {
    switch trend {
    case .up: style.localized("It is rising.")
    case .steady: style.localized("It is steady.")
    case .down: style.localized("It is falling.")
    }
  }

  private func age(_ status: StatusReport) -> String? {
    let age = style.localized(Self.age(seconds: status.age))
    switch status.freshness {
    case .live: return nil
    case .ended, .stale(reason: nil): return style.localized("Not live: measured \(age).")
    case .stale(let reason?): return style.localized("Not live, \(style.localized(reason)): measured \(age).")
    }
  }

  /// The age as in ``StatusText``, with unabbreviated units.
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
