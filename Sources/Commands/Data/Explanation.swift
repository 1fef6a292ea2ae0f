import JSONLines
import Stress
import Terminal

/// The stress formula with its numbers filled in, and why the result is trusted as far as it is.
struct Explanation {
  let score: StressScore
  let confidence: Confidence
  /// Whose number it is and when it was measured, where that is known.
  var heading: String?
  /// The baseline that it was measured against, where it was not typed in.
  var reference: Reference?

  /// Seconds of normal beats in the window, and its length; nil without a window.
  var collected: (covered: Double, window: Double)?

  struct Reference {
    let baseline: Baseline
    let metric: HRVMetric
  }

  var text: String {
    let inputs = score.inputs
    var lines = heading.map { [$0, ""] } ?? []
    lines += ["Stress \(score.value.fixed(1)) of 100: \(score.category.word)"]
    lines += reference.map { ["Measured against \($0.baseline.summary($0.metric))"] } ?? []
    lines += [
      "",
      "  nHRV = (baselineHRV - HRV) / baselineHRV"
        + " = (\(n(inputs.baselineHRV)) - \(n(inputs.hrv))) / \(n(inputs.baselineHRV)) = \(r(score.normalisedHRV))",
      "  nHR = (HR - restingHR) / restingHR"
        + " = (\(n(inputs.heartRate)) - \(n(inputs.restingHeartRate))) / \(n(inputs.restingHeartRate))"
        + " = \(r(score.normalisedHeartRate))",
      "  hrvComponent = clamp(nHRV, 0, 1) ^ 0.8 = \(r(score.hrvComponent))",
      "  hrComponent = max(0, atan(2 * nHR) / (pi / 2)) = \(r(score.heartRateComponent))",
      "  stress = 100 * (0.7 * \(r(score.hrvComponent)) + 0.3 * \(r(score.heartRateComponent)))"
        + " = \(score.value.fixed(1))",
      "",
      "  HRV in ms, HR in bpm. relaxed [0,25), mild [25,50), moderate [50,75), high [75,100].",
      "",
      "Confidence \(confidence.value.fixed(2)), the product of:",
    ]
    lines += confidence.known.map { factor, value in
      "  \(value.fixed(2))  \(factor.subject)" + (value < 1 ? ": \(reason(factor))" : "")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  var json: String {
    var line = JSONLine()
    line.line { put(into: &$0) }
    return String(decoding: line.bytes, as: UTF8.self)
  }

  /// The members of its JSON object.
  func put(into line: inout JSONLine) {
    line.put("stress", score.value)
    line.put("category", score.category.rawValue)
    line.put("hrv_ms", score.inputs.hrv)
    line.put("mean_hr_bpm", score.inputs.heartRate)
    line.put("baseline_hrv_ms", score.inputs.baselineHRV)
    line.put("resting_hr_bpm", score.inputs.restingHeartRate)
    line.put("baseline_origin", reference?.baseline.origin.rawValue)
    line.put("baseline_days", reference?.baseline.days)
    line.put("normalised_hrv", score.normalisedHRV)
    line.put("normalised_hr", score.normalisedHeartRate)
    line.put("hrv_component", score.hrvComponent)
    line.put("hr_component", score.heartRateComponent)
    line.put("confidence", confidence.value)
    line.put("confidence_factors", confidence)
  }

  private func reason(_ factor: Confidence.Factor) -> String {
    guard factor == .windowFill, let collected else { return factor.reason }
    return StressMeasurement.collected(collected.covered, of: collected.window)
  }

  /// An input, to one decimal.
  private func n(_ value: Double) -> String { value.fixed(1) }
  /// A ratio, to three.
  private func r(_ value: Double) -> String { value.fixed(3) }
}
