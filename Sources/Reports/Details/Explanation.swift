package import JSONLines
import LiveSession
package import Stress

/// The stress formula with its inputs and intermediate results, the interval and the range of the value, and the factors of
/// the confidence.
package struct Explanation {
  package let score: StressScore
  package let confidence: Confidence
  /// Absent in measurements of versions that did not store the quality of the window.
  package let interval: ExplainedInterval?
  /// Absent if the baseline was typed in.
  package let reference: Reference?
  /// Seconds of normal beats in the window, and its length.
  package let collected: (covered: Double, window: Double)?

  /// The baseline of the score.
  package struct Reference: Sendable {
    package let baseline: Baseline
    package let metric: HRVMetric

    package init(baseline: Baseline, metric: HRVMetric) {
      (self.baseline, self.metric) = (baseline, metric)
    }
  }

  package init(
    score: StressScore, confidence: Confidence, interval: ExplainedInterval? = nil,
    reference: Reference? = nil, collected: (covered: Double, window: Double)? = nil
  ) {
    (self.score, self.confidence, self.interval) = (score, confidence, interval)
    (self.reference, self.collected) = (reference, collected)
  }

  /// The range of the level that the uncertainty of the baseline implies, unless the baseline is solid or was typed in.
  package var levelRange: LevelRange? {
    reference.flatMap { LevelRange(score, metric: $0.metric, weight: $0.baseline.weight) }
  }

  /// The category of the stress value. During movement and exertion, and in an irregular rhythm, it has none.
  package var category: StressCategory? { confidence.statesLevel ? score.category : nil }

  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { put(into: &$0) }
    return line.bytes
  }

  /// Adds the members of the JSON object.
  package func put(into line: inout JSONLine) {
    line.put(.stress, score.value)
    line.put(interval?.ofWindow)
    line.put(.stressRangeLow, interval?.range.lowerBound)
    line.put(.stressRangeHigh, interval?.range.upperBound)
    line.put(levelRange)
    line.put("category", category?.rawValue)
    line.put(.hrv, score.inputs.hrv)
    line.put(.meanHeartRate, score.inputs.heartRate)
    line.put(.baselineHRV, score.inputs.baselineHRV)
    line.put(.restingHeartRate, score.inputs.restingHeartRate)
    line.put("baseline_origin", reference?.baseline.origin.rawValue)
    line.put("baseline_days", reference?.baseline.days)
    line.put("baseline_weight", reference?.baseline.weight)
    line.put("normalised_hrv", score.normalisedHRV)
    line.put("normalised_hr", score.normalisedHeartRate)
    line.put("hrv_component", score.hrvComponent)
    line.put("hr_component", score.heartRateComponent)
    line.put(.confidence, confidence.value)
    line.put(confidence)
    interval?.put(into: &line)
  }
}
