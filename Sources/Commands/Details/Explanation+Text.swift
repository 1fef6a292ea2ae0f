import LiveSession
import Localization
import Reports
import Stress
import Terminal

extension Explanation {
  /// - Parameter heading: the first line, if any.
  func text(heading: String? = nil) -> String {
    var lines = heading.map { [$0, ""] } ?? []
    let word = confidence.suspension.map { Language.english.text($0.word) } ?? score.category.word
    lines += ["Stress \(score.value.fixed(1)) of 100\(range): \(word)"]
    lines += reference.map { ["Measured against \($0.baseline.summary($0.metric, .plain))"] } ?? []
    lines += levelRange.map { ["With your own usual values, the level would be \(words($0))."] } ?? []
    lines +=
      [""] + formula + [
        "",
        "  HRV in ms, HR in bpm. relaxed [0,25), mild [25,50), moderate [50,75), high [75,100].",
        "",
      ]
    lines += intervalLines + ["", "Confidence \(confidence.value.fixed(2)), the product of:"]
    lines += confidence.known.map { factor, value in
      "  \(value.fixed(2))  \(factor.subject)" + (value < 1 ? ": \(reason(factor))" : "")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private var formula: [String] {
    let inputs = score.inputs
    return [
      "  nHRV = (baselineHRV - HRV) / baselineHRV"
        + " = (\(n(inputs.baselineHRV)) - \(n(inputs.hrv))) / \(n(inputs.baselineHRV)) = \(r(score.normalisedHRV))",
      "  nHR = (HR - restingHR) / restingHR"
        + " = (\(n(inputs.heartRate)) - \(n(inputs.restingHeartRate))) / \(n(inputs.restingHeartRate))"
        + " = \(r(score.normalisedHeartRate))",
      "  hrvComponent = clamp(nHRV, 0, 1) ^ 0.8 = \(r(score.hrvComponent))",
      "  hrComponent = max(0, atan(2 * nHR) / (pi / 2)) = \(r(score.heartRateComponent))",
      "  stress = 100 * (0.7 * \(r(score.hrvComponent)) + 0.3 * \(r(score.heartRateComponent)))"
        + " = \(score.value.fixed(1))",
    ]
  }

  /// ` (24-58)`, as on the screens.
  private var range: String { interval.map { " (\(StressValueText.text($0.range)))" } ?? "" }

  private var intervalLines: [String] {
    interval.map { ExplainedIntervalText(interval: $0, score: score).lines }
      ?? [
        "Interval: not known, an earlier version stored this measurement without the quality of its window."
      ]
  }

  /// `between 12 and 54 in 9 of 10 cases`
  private func words(_ range: LevelRange) -> String {
    "between \(range.low.fixed(0)) and \(range.high.fixed(0)) in 9 of 10 cases"
  }

  private func reason(_ factor: Confidence.Factor) -> String {
    guard factor == .lostData || factor == .windowFill, let collected else { return factor.reason }
    return StressMeasurement.collected(collected.covered, of: collected.window)
  }

  /// An input with one decimal.
  private func n(_ value: Double) -> String { value.fixed(1) }
  /// A ratio with three decimals.
  private func r(_ value: Double) -> String { value.fixed(3) }
}
