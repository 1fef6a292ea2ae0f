import History
import LiveSession
import Localization
import Reports
import Stress

/// The formula of a stress value with its numbers, its range and interval and the factors of its confidence.
struct MeasurementExplanation: Sendable {
  let details: MeasurementDetails
  let context: PageContext

  var html: HTML {
    guard let explanation = details.explanation else { return "\(confidence)" }
    return """
      <section class="card stack"><h2>\(context.localized("How it was computed"))</h2>
      \(explanation.reference.map(baseline))
      <ol class="formula">\(steps(explanation.score).map { "<li><code>\($0)</code></li>" as HTML })</ol>
      <p class="quiet">\(context.localized("HRV in ms, heart rate in bpm."))</p>
      \(explanation.interval.map(interval))</section>
      \(confidence)
      """
  }

  private func baseline(_ reference: Explanation.Reference) -> HTML {
    let summary = context.localized(reference.baseline.summary(reference.metric))
    return "<p>\(context.localized("Measured against your baseline: \(summary)."))</p>"
  }

  private func steps(_ score: StressScore) -> [String] {
    let inputs = score.inputs
    let (hrv, baseline) = (inputs.hrv.fixed(1), inputs.baselineHRV.fixed(1))
    let (rate, rest) = (inputs.heartRate.fixed(1), inputs.restingHeartRate.fixed(1))
    let (hrvPart, ratePart) = (score.hrvComponent.fixed(3), score.heartRateComponent.fixed(3))
    return [
      "nHRV = (\(baseline) - \(hrv)) / \(baseline) = \(score.normalisedHRV.fixed(3))",
      "nHR = (\(rate) - \(rest)) / \(rest) = \(score.normalisedHeartRate.fixed(3))",
      "hrvComponent = clamp(nHRV, 0, 1) ^ 0.8 = \(hrvPart)",
      "hrComponent = max(0, atan(2 * nHR) / (pi / 2)) = \(ratePart)",
      "stress = 100 * (0.7 * \(hrvPart) + 0.3 * \(ratePart)) = \(score.value.fixed(1))",
    ]
  }

  private func interval(_ interval: ExplainedInterval) -> HTML {
    "\(interval.sentences.map { "<p>\(context.localized($0))</p>" as HTML })"
  }

  private var confidence: HTML {
    let confidence = details.measurement.confidence
    let lowered = confidence.doubts
    return """
      <section class="card stack"><h2>\(context.localized("Confidence \(context.percent(confidence.value))"))</h2>\
      \(lowered.isEmpty ? nil : table(lowered).html)\
      <details><summary>\(context.localized("Details"))</summary>\(table(confidence.known).html)</details></section>
      """
  }

  private func table(_ factors: [(factor: Confidence.Factor, value: Double)]) -> DataTable {
    let rows = factors.map { factor, value in
      DataTable.Row([
        .init(context.localized(Phrase(known: factor.subject))), .init(context.percent(value)),
        .init(Confidence.isDoubt(value) ? context.localized(Phrase(known: factor.reason)) : ""),
      ])
    }
    return DataTable(
      caption: context.localized("The confidence is the product of these factors."),
      headings: [context.localized("factor"), context.localized("value"), context.localized("reason")],
      rows: rows, isNumeric: false)
  }
}
