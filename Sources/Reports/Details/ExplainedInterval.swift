import Glibc
package import HRV
import JSONLines
package import Stress

/// The interval of a stress value with its components, and the wider interval for comparisons of two times.
package struct ExplainedInterval: Sendable {
  /// Contains the value of the undisturbed beats of the same window in 9 of 10 cases.
  package let ofWindow: StressInterval
  /// Also contains the variation between undisturbed minutes of one resting period.
  package let ofRest: StressInterval
  package let components: [StressInterval.Component]
  package let quality: WindowQuality
  package let variability: RestVariability
  /// Standard deviation of ln HRV of such a window about its rest.
  package let restSD: Double
  /// Whether the numbers were typed in. An undisturbed window is then assumed.
  package let isAssumed: Bool

  /// - Parameters:
  ///   - quality: quality of the window; nil assumes an undisturbed window.
  ///   - window: length of the window in seconds.
  ///   - variability: variability of the person's rests.
  package init(
    _ score: StressScore, quality: WindowQuality?, window: Double = 60,
    variability: RestVariability = .populationDefault
  ) {
    isAssumed = quality == nil
    self.quality = quality ?? .undisturbed
    self.variability = variability
    ofWindow = StressInterval(score, self.quality)
    restSD = variability.restSD(seconds: window)
    ofRest = StressInterval(score, self.quality, restSD: restSD)
    components = StressInterval.components(self.quality)
  }

  /// Adds the components, and the variability of rests.
  func put(into line: inout JSONLine) {
    line.put("stress_interval") { line in
      for component in components {
        line.put(component.quantity?.rawValue ?? "every_window") { line in
          line.put(.hrvFall, component.fallPercent)
          line.put(.hrvRise, component.risePercent)
        }
      }
    }
    line.put(variability)
  }
}

extension StressInterval.Component {
  /// ``fall`` in percent of HRV.
  package var fallPercent: Double { 100 * (1 - exp(-fall)) }
  /// ``rise`` in percent of HRV.
  package var risePercent: Double { 100 * (exp(rise) - 1) }
}

extension RestVariability {
  /// Standard deviation of ln HRV of one window of this length about its rest.
  package func restSD(seconds: Double) -> Double { variance(seconds: max(1, seconds)).squareRoot() }
}
