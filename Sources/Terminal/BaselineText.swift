public import Stress

extension Baseline {
  /// What stress is measured against: `RMSSD 47.2 ms and 58.1 bpm, learned from 12 days; blended with the prior by 12/30`.
  public func summary(_ metric: HRVMetric) -> String {
    "\(metric.rawValue.uppercased()) \(hrv(metric).fixed(1)) ms and \(restingHeartRate.fixed(1)) bpm, \(provenance)"
  }

  /// Where it comes from.
  public var provenance: String {
    switch origin {
    case .prior: return "the prior, the same for everyone"
    case .manual: return "set by hand"
    case .learned:
      let learned = "learned from \(days.fixed(0)) day\(days == 1 ? "" : "s")"
      guard days < Baseline.matureDays else { return learned }
      return learned + "; blended with the prior by \(days.fixed(0))/\(Baseline.matureDays.fixed(0))"
    }
  }
}
