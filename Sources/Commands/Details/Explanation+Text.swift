import LiveSession
import Localization
import NetworkCommands
import Reports
import Stress
import Terminal

extension Explanation {
  /// - Parameter heading: the first line, if any.
  func text(heading: String? = nil) -> String {
    var lines = heading.map { [$0, ""] } ?? []
    let word = confidence.suspension?.word ?? Phrase(known: score.category.word)
    lines += [localized("Stress \(score.value.fixed(1)) of 100\(range): \(word)")]
    lines +=
      reference.map { [localized("Measured against \($0.baseline.summary($0.metric) as Phrase)")] } ?? []
    lines += levelRange.map { [sentence($0)] } ?? []
    lines +=
      [""] + formula + [
        "",
        "  "
          + localized("HRV in ms, HR in bpm. relaxed [0,25), mild [25,50), moderate [50,75), high [75,100]."),
        "",
      ]
    lines += intervalLines + ["", localized("Confidence \(confidence.value.fixed(2)), the product of:")]
    lines += confidence.known.map { factor, value in
      let subject = Phrase(known: factor.subject)
      return "  \(localized(number: value, 2))  "
        + (Confidence.isDoubt(value) ? localized("\(subject): \(reason(factor))") : localized(subject))
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
      "  hrvComponent = clamp(nHRV, 0, 1) ^ \(n(0.8)) = \(r(score.hrvComponent))",
      "  hrComponent = max(0, atan(2 * nHR) / (pi / 2)) = \(r(score.heartRateComponent))",
      "  stress = 100 * (\(n(0.7)) * \(r(score.hrvComponent)) + \(n(0.3)) * \(r(score.heartRateComponent)))"
        + " = \(n(score.value))",
    ]
  }

  /// ` (24-58)`, as on the screens.
  private var range: String { interval.map { " (\(StressValueText.text($0.range)))" } ?? "" }

  private var intervalLines: [String] {
    interval.map { ExplainedIntervalText(interval: $0, score: score).lines }
      ?? [
        localized(
          "Interval: not known, an earlier version stored this measurement without the quality of its window."
        )
      ]
  }

  private func sentence(_ range: LevelRange) -> String {
    let (low, high) = (range.low.fixed(0), range.high.fixed(0))
    return localized(
      "With your own usual values, the level would be between \(low) and \(high) in 9 of 10 cases.")
  }

  private func reason(_ factor: Confidence.Factor) -> String {
    guard factor == .lostData || factor == .windowFill, let collected else {
      return localized(Phrase(known: factor.reason))
    }
    return LiveMeasurement.collected(collected.covered, of: collected.window, .ofProcess)
  }

  /// An input with one decimal.
  private func n(_ value: Double) -> String { localized(number: value, 1) }
  /// A ratio with three decimals.
  private func r(_ value: Double) -> String { localized(number: value, 3) }
}
