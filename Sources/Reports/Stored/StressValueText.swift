package import History
import Localization

/// Stress values in documents and pages.
package enum StressValueText {
  /// A stress value with its interval, in whole numbers: `42 (36-47)`; `42` without an interval.
  package static func text(_ value: Double, _ interval: ClosedRange<Double>?) -> String {
    value.fixed(0) + (interval.map { " (\($0.lowerBound.fixed(0))-\($0.upperBound.fixed(0)))" } ?? "")
  }
}

extension MeasurementSums {
  /// Mean stress with the mean interval: `42 (36-47)`.
  package var stressMean: String { self[.stress].map { StressValueText.text($0.mean, stressBand) } ?? "-" }
}
