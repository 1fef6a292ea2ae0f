import LiveSession
import Localization
import Stress

extension TerminalStyle {
  /// `HR 62 bpm` for the rate of the latest notification; `mean HR 62 bpm` if only the mean of the window is known.
  package func heartRate(latest: Double?, windowMean: Double?) -> String? {
    latest.map { localized("HR \(bpm($0))") } ?? windowMean.map { localized("mean HR \(bpm($0))") }
  }

  /// `confidence high (92 %)`
  package func confidence(_ value: Double) -> String { localized("confidence \(confidenceLevel(value))") }

  /// `high (92 %)`
  func confidenceLevel(_ value: Double) -> String {
    let percent = (value * 100).fixed(0)
    return switch ConfidenceLevel(value) {
    case .high: localized("high (\(percent) %)")
    case .medium: localized("medium (\(percent) %)")
    case .low: localized("low (\(percent) %)")
    }
  }

  /// `48.1 ms (RMSSD)`, or a dash.
  func rmssd(_ value: Double?) -> String {
    value.map { localized("\($0.fixed(1)) ms (RMSSD)") } ?? "-"
  }

  /// `62 bpm`
  package func bpm(_ rate: Double, decimals: Int = 0) -> String { localized("\(rate.fixed(decimals)) bpm") }

  /// A stress value with icon, range and category: `● 42 (36-47) Mild`.
  package func stress(_ value: Double, _ range: ClosedRange<Double>?) -> String {
    let category = StressCategory(score: value)
    let icon = category.icon(unicode: unicode)
    return coloured("\(icon) \(StressValueText.text(value, range)) \(word(category))", category)
  }
}
