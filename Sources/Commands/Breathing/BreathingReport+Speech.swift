import Breathing
import HRV
import Localization
import Reports
import Terminal

extension BreathingReport {
  /// Sentences for a screen reader: no table, units spelled out.
  func spoken(_ style: TerminalStyle) -> String {
    let hasRests = result.before != nil || result.after != nil || result.resonance == nil
    let time = SpokenWords(style: style).length(seconds: result.during.seconds)
    let lines =
      [heading(style, time) + "."]
      + (hasRests ? RestDifferences(result).mainRows.map { sentence($0, style) } : [])
    let last = spokenCoherence(style) + (result.resonance.map { [resonanceSentence($0, style)] } ?? [])
    return (lines + last + (hasRests ? localizedSentences(style) : [])).map { $0 + "\n" }.joined()
  }

  /// `RMSSD in milliseconds: before 67, during 44, after 56.`
  private func sentence(_ row: RestDifferences.Row, _ style: TerminalStyle) -> String {
    let values = row.values.map { $0.map { $0.fixed(row.metric == .confidence ? 2 : 0) } }
    let parts = [
      values[0].map { style.localized("before \($0)") }, values[1].map { style.localized("during \($0)") },
      values[2].map { style.localized("after \($0)") },
    ].compactMap { $0 }
    return "\(style.localized(row.spokenName)): \(parts.joined(separator: ", "))."
  }

  private func spokenCoherence(_ style: TerminalStyle) -> [String] {
    guard let coherence = result.coherence else { return [unknownCoherence(style)] }
    let percent = (coherence.value * 100).fixed(0)
    return [
      style.localized(
        "Coherence: \(percent) percent of your heart rate variation followed the breathing.")
    ]
  }
}
