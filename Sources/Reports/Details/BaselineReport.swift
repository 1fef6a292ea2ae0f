import JSONLines
import Localization
package import Stress

/// A baseline and the data that it is estimated from.
package struct BaselineReport {
  package let profile: String
  package let baseline: Baseline
  /// The estimate from the person's resting minutes, if there are any, whether it is in force or not.
  package let evidence: BaselineEvidence?

  package init(profile: String, baseline: Baseline, evidence: BaselineEvidence?) {
    (self.profile, self.baseline, self.evidence) = (profile, baseline, evidence)
  }

  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("profile", profile)
      line.put("origin", baseline.origin.rawValue)
      line.put(.baselineRMSSD, baseline.rmssd)
      line.put(.baselineSDNN, baseline.sdnn)
      line.put(.restingHeartRate, baseline.restingHeartRate)
      line.put("days", evidence?.days ?? 0)
      line.put("maturity", baseline.maturity)
      line.put("weight", baseline.weight)
      line.put("resting_windows", evidence?.windows ?? 0)
      line.put("learned_\(MetricDefinition.rmssd.key)", evidence?.rmssd.value)
      line.put("learned_\(MetricDefinition.sdnn.key)", evidence?.sdnn.value)
      line.put("learned_\(MetricDefinition.restingHeartRate.key)", evidence?.restingHeartRate)
      for metric in HRVMetric.allCases { putRange(metric, into: &line) }
    }
    return line.bytes
  }

  private func putRange(_ metric: HRVMetric, into line: inout JSONLine) {
    let range = evidence?.normalRange(metric)
    line.put("normal_\(metric.definition.key(of: "low"))", range?.lowerBound)
    line.put("normal_\(metric.definition.key(of: "high"))", range?.upperBound)
    line.put("baseline_\(metric.rawValue)_in_normal_range", isInNormalRange(metric))
  }

  /// Whether the baseline lies within its normal range as displayed, with one decimal. Unknown as long as there is no range.
  package func isInNormalRange(_ metric: HRVMetric) -> Bool? {
    let value = baseline.hrv(metric)
    return evidence?.normalRange(metric).map { range in
      range.contains(value)
        || [range.lowerBound, range.upperBound].contains { $0.fixed(1) == value.fixed(1) }
    }
  }
}

extension BaselineEvidence {
  /// The normal range of `metric` at rest, in ms. Requires five days.
  package func normalRange(_ metric: HRVMetric) -> ClosedRange<Double>? {
    switch metric {
    case .rmssd: rmssd.normalRange
    case .sdnn: sdnn.normalRange
    }
  }
}
