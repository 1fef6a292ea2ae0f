package import History
import Localization

/// Stress values in documents and pages.
package enum StressValueText {
  /// A stress value with its range, in whole numbers: `42 (36-47)`; `42` without a range.
  package static func text(_ value: Double, _ range: ClosedRange<Double>?) -> String {
    value.fixed(0) + (range.map { " (\($0.lowerBound.fixed(0))-\($0.upperBound.fixed(0)))" } ?? "")
  }
}

extension MeasurementSums {
  /// Mean stress in whole numbers.
  package var stressMean: String { self[.stress].map { $0.mean.fixed(0) } ?? "-" }
}
