import LiveSession
import Localization
package import Stress

/// A stress value with its range, in whole numbers: `42 (36-47)`; `42` without a range.
package func stressText(_ value: Double, _ range: ClosedRange<Double>?) -> String {
  value.fixed(0) + (range.map { " (\(rangeText($0)))" } ?? "")
}

/// A range of stress values, in whole numbers: `36-47`.
package func rangeText(_ range: ClosedRange<Double>) -> String {
  "\(range.lowerBound.fixed(0))-\(range.upperBound.fixed(0))"
}

extension StressRange {
  /// From ``low`` to ``high``.
  package var bounds: ClosedRange<Double> { low...high }
}

extension TerminalStyle {
  /// `HR 62 bpm` for the rate of the latest notification; `mean HR 62 bpm` if only the mean of the window is known.
  func heartRate(latest: Double?, windowMean: Double?) -> String? {
    latest.map { localized("HR \(bpm($0))") } ?? windowMean.map { localized("mean HR \(bpm($0))") }
  }

  /// `62 bpm`
  func bpm(_ rate: Double, decimals: Int = 0) -> String { localized("\(rate.fixed(decimals)) bpm") }

  /// A stress value with icon, range and category: `● 42 (36-47) Mild`.
  func stress(_ value: Double, _ range: ClosedRange<Double>?) -> String {
    let category = StressCategory(score: value)
    let icon = category.icon(unicode: unicode)
    return coloured("\(icon) \(stressText(value, range)) \(word(category))", category)
  }
}

extension StressMeasurement {
  /// `♣ 12 (9-16) Relaxed`; `12 (9-16) moving` if acceleration shows it, `12 (9-16) moving?` during exertion, `12 (9-16)
  /// irregular rhythm`. Requires a stress value.
  func stressText(_ style: TerminalStyle, showsRange: Bool = true) -> String? {
    score.map { score in
      let range = showsRange ? range?.bounds : nil
      guard let suspension else { return style.stress(score.value, range) }
      return "\(Terminal.stressText(score.value, range)) \(style.localized(suspension.word))"
    }
  }
}
