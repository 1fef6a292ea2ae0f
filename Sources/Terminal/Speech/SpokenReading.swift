import HRV
import LiveSession
import Localization
package import Stress

/// One measurement as sentences for a screen reader.
package struct SpokenReading: Sendable {
  private let style: TerminalStyle
  private let normal: NormalPosition?

  package init(style: TerminalStyle, normal: NormalPosition? = nil) {
    (self.style, self.normal) = (style, normal)
  }

  /// - Parameter heartRate: The latest one in bpm. By default, the mean of the window is stated as such.
  package func text(_ measurement: StressMeasurement, heartRate: UInt16? = nil) -> String {
    let words = SpokenWords(style: style)
    let rate = words.heartRate(latest: heartRate, windowMean: measurement.nn.meanHeartRate)
    if let collecting = words.collecting(measurement) {
      return [collecting, rate].compactMap { $0 }.joined(separator: " ")
    }
    // With the precision that its position in the normal range depends on.
    let position = normal?.phrase(measurement)
    let decimals = position == nil ? 0 : 1
    return [
      words.withoutCategory(measurement) ?? stress(measurement, words),
      rate,
      measurement.rmssd.map { words.hrv($0, decimals: decimals) },
      position.map { style.localized("It is \(style.localized($0)).") },
      words.confidence(
        measurement.confidence.value,
        reasons: measurement.confidence.doubts.map { reason($0.factor, measurement) }),
    ].compactMap { $0 }.joined(separator: " ")
  }

  private func stress(_ measurement: StressMeasurement, _ words: SpokenWords) -> String {
    measurement.score.map {
      words.stress($0.value, measurement.range?.bounds, confidence: measurement.confidence.value)
    }
      ?? style.localized("No stress value.")
  }

  private func reason(_ factor: Confidence.Factor, _ measurement: StressMeasurement) -> String {
    guard factor == .lostData || factor == .windowFill else {
      return style.localized(Phrase(known: factor.reason))
    }
    let (covered, window) = (measurement.normalSeconds, measurement.window)
    let whole = min(covered, window).rounded(.down)
    return style.localized("\(whole.fixed(0)) of \(window.fixed(0)) seconds collected")
  }
}
