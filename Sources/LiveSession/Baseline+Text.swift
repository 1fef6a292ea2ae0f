package import Localization
package import Stress

extension Baseline {
  /// The baseline in words: `RMSSD 47.2 ms and 58.1 bpm, estimated from 2 days (86 %) and the population default`.
  package func summary(_ metric: HRVMetric) -> Phrase {
    let (name, hrv) = (metric.rawValue.uppercased(), hrv(metric).fixed(1))
    return Phrase("\(name) \(hrv) ms and \(restingHeartRate.fixed(1)) bpm, \(provenance)")
  }

  /// The origin of the baseline in words. The weight of the own values is stated as long as the rest matters.
  package var provenance: Phrase {
    switch origin {
    case .populationDefault: return Phrase("population default")
    case .manual: return Phrase("set manually")
    case .learned:
      let count = Int(exactly: days.rounded()) ?? 0
      let learned = Phrase("estimated from \(count) day", "estimated from \(count) days", count: count)
      guard weightPercent < 95 else { return learned }
      return Phrase("\(learned) (\(weightPercent) %) and the population default")
    }
  }
}
