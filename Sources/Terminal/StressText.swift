import Localization
package import Stress

/// A stress value with its interval, in whole numbers: `42 (36-47)`; `42` without an interval.
package func stressText(_ value: Double, _ interval: ClosedRange<Double>?) -> String {
  value.fixed(0) + (interval.map { " (\(intervalText($0)))" } ?? "")
}

/// An interval of stress values, in whole numbers: `36-47`.
package func intervalText(_ interval: ClosedRange<Double>) -> String {
  "\(interval.lowerBound.fixed(0))-\(interval.upperBound.fixed(0))"
}

extension StressInterval {
  /// From ``low`` to ``high``.
  package var range: ClosedRange<Double> { low...high }
}

extension TerminalStyle {
  /// A stress value with icon, interval and category: `● 42 (36-47) Mild`.
  func stress(_ value: Double, _ interval: ClosedRange<Double>?) -> String {
    let category = StressCategory(score: value)
    let icon = category.icon(unicode: unicode)
    return coloured("\(icon) \(stressText(value, interval)) \(word(category))", category)
  }
}
