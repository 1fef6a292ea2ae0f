import HRV
public import Stress
import Words

/// One measurement in sentences for a screen reader.
public struct SpokenReading: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) { self.style = style }

  public func text(_ measurement: StressMeasurement) -> String {
    let words = SpokenWords(style: style)
    let nn = measurement.nn
    return [
      measurement.score.map { words.stress($0.value, confidence: measurement.confidence.value) }
        ?? style.words("No stress value."),
      nn.meanHeartRate.map(words.heartRate), nn.rmssd.map { words.hrv($0, .rmssd) },
      words.confidence(
        measurement.confidence.value,
        reasons: measurement.confidence.doubts.map { style.words($0.factor.spokenReason) }),
    ].compactMap { $0 }.joined(separator: " ")
  }
}
