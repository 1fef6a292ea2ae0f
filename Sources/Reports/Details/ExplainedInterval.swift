import Glibc
import JSONLines
package import Localization
package import Stress

/// The interval of a stress value with its components, and the range of the next minute.
package struct ExplainedInterval: Sendable {
  /// Contains the value of the undisturbed beats of the same window in 9 of 10 cases.
  package let ofWindow: StressInterval
  /// Contains the value of the next minute in the same state in 9 of 10 cases.
  package let range: ClosedRange<Double>
  package let components: [StressInterval.Component]
  package let quality: WindowQuality
  /// Whether the numbers were typed in. An undisturbed window is then assumed.
  package let isAssumed: Bool

  /// - Parameters:
  ///   - quality: Of the window. By default, an undisturbed window is assumed.
  ///   - range: As it was stored. By default, that of a person at rest.
  ///   - weight: ``Baseline/weight`` of the baseline of the score. Without effect on a stored range.
  package init(
    _ score: StressScore, quality: WindowQuality? = nil, range: ClosedRange<Double>? = nil, weight: Double = 1
  ) {
    isAssumed = quality == nil
    self.quality = quality ?? .undisturbed
    ofWindow = StressInterval(score, self.quality)
    let rest = StressRange(score, self.quality, isMoving: false, weight: weight)
    self.range = range ?? rest.low...rest.high
    components = StressInterval.components(self.quality)
  }

  /// What the range and the interval contain.
  package var sentences: [Phrase] {
    let (low, high) = (range.lowerBound.fixed(1), range.upperBound.fixed(1))
    let (windowLow, windowHigh) = (ofWindow.low.fixed(1), ofWindow.high.fixed(1))
    return [
      Phrase(
        "Range \(low) to \(high): contains the value of the next minute in the same state in 9 of 10 cases."),
      Phrase(
        "Interval \(windowLow) to \(windowHigh): contains the value of the undisturbed beats of this window in 9 of 10 cases."
      ),
    ]
  }

  /// Adds the components.
  func put(into line: inout JSONLine) {
    line.put("stress_interval") { line in
      for component in components {
        line.put(component.quantity?.rawValue ?? "every_window") { line in
          line.put(.hrvFall, component.fallPercent)
          line.put(.hrvRise, component.risePercent)
        }
      }
    }
  }
}

extension StressInterval.Component {
  /// ``fall`` in percent of HRV.
  package var fallPercent: Double { 100 * (1 - exp(-fall)) }
  /// ``rise`` in percent of HRV.
  package var risePercent: Double { 100 * (exp(rise) - 1) }
}
