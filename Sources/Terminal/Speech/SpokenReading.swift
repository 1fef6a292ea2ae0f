import HRV
package import LiveSession
import Localization
import Stress

/// One measurement as sentences for a screen reader.
package struct SpokenReading: Sendable {
  private let style: TerminalStyle
  private let normal: NormalPosition?

  package init(style: TerminalStyle, normal: NormalPosition? = nil) {
    (self.style, self.normal) = (style, normal)
  }

  /// - Parameter heartRate: The latest one in bpm. By default, the mean of the window is stated as such.
  package func text(_ measurement: LiveMeasurement, heartRate: UInt16? = nil) -> String {
    let words = SpokenWords(style: style)
    let rate = words.heartRate(latest: heartRate, windowMean: measurement.meanHeartRate)
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
        measurement.confidence ?? 0,
        reasons: measurement.doubts.map { reason($0.factor, measurement) }),
    ].compactMap { $0 }.joined(separator: " ")
  }

  private func stress(_ measurement: LiveMeasurement, _ words: SpokenWords) -> String {
    measurement.stress.map {
      words.stress($0, measurement.range, confidence: measurement.confidence ?? 0)
    }
      ?? style.localized("No stress value.")
  }

  private func reason(_ factor: Confidence.Factor, _ measurement: LiveMeasurement) -> String {
    guard factor == .lostData || factor == .windowFill, let covered = measurement.normalSeconds,
      let window = measurement.window
    else {
      return style.localized(Phrase(known: factor.reason))
    }
    let whole = min(covered, window).rounded(.down)
    return style.localized("\(whole.fixed(0)) of \(window.fixed(0)) seconds collected")
  }
}
