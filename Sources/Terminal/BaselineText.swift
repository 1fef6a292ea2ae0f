import Localization
package import Stress

extension Baseline {
  /// The baseline in words: `RMSSD 47.2 ms and 58.1 bpm, estimated from 2 days, with a weight of 86 %; ...`.
  package func summary(_ metric: HRVMetric, _ style: TerminalStyle = .plain) -> String {
    let (name, hrv) = (metric.rawValue.uppercased(), hrv(metric).fixed(1))
    return style.localized("\(name) \(hrv) ms and \(restingHeartRate.fixed(1)) bpm, \(provenance(style))")
  }

  /// The origin of the baseline in words.
  package func provenance(_ style: TerminalStyle = .plain) -> String {
    switch origin {
    case .populationDefault: return style.localized("population default")
    case .manual: return style.localized("set manually")
    case .learned:
      let count = Int(exactly: days.rounded()) ?? 0
      let learned = style.localized(
        "estimated from \(count) day", "estimated from \(count) days", count: count)
      guard weightPercent < 100 else { return learned }
      return style.localized(
        "\(learned), with a weight of \(weightPercent) %; the rest is the population default")
    }
  }
}
