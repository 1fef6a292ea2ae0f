import Localization
package import Stress

extension Baseline {
  /// What stress is measured against: `RMSSD 47.2 ms and 58.1 bpm, learned from 12 days; blended with the population default by 12/30`.
  package func summary(_ metric: HRVMetric, _ style: TerminalStyle = .plain) -> String {
    let (name, hrv) = (metric.rawValue.uppercased(), hrv(metric).fixed(1))
    return style.localized("\(name) \(hrv) ms and \(restingHeartRate.fixed(1)) bpm, \(provenance(style))")
  }

  /// Where it comes from.
  package func provenance(_ style: TerminalStyle = .plain) -> String {
    switch origin {
    case .populationDefault: return style.localized("population default, not yet yours")
    case .manual: return style.localized("set by hand")
    case .learned:
      let count = Int(exactly: days.rounded()) ?? 0
      let learned = style.localized("learned from \(count) day", "learned from \(count) days", count: count)
      guard days < Baseline.matureDays else { return learned }
      let all = Baseline.matureDays.fixed(0)
      return style.localized("\(learned); blended with the population default by \(count)/\(all)")
    }
  }
}
