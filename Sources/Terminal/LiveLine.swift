import HRV
import HeartRate
import Localization
import Stress

/// The live view as lines of text, for pipes, dumb terminals and `--plain`: one a second at most, and one for
/// each change of the link.
package struct LiveLine: Sendable {
  private let style: TerminalStyle
  /// Stands after the time, where there are several sessions.
  private let label: String
  private var nextAt = Int64.min

  /// - Parameter label: Which session it is, where there are several.
  package init(style: TerminalStyle, label: String? = nil) {
    self.style = style
    self.label = label.map { "  " + $0.printable } ?? ""
  }

  /// The line that stands for the newest measurement, when it is the first of its second.
  package mutating func measurementLine(_ state: LiveState) -> String? {
    guard let measurement = state.measurement, measurement.time.ticks >= nextAt else { return nil }
    // The next whole second: at 61 bpm and more, waiting a second from this beat would pass over every other one.
    nextAt = (measurement.time.ticks / RRInterval.ticksPerSecond + 1) * RRInterval.ticksPerSecond
    return text(state, measurement)
  }

  /// The line for a change of the link, a notice such as missing contact, or nothing.
  package func linkLine(_ state: LiveState) -> String? {
    let text = LiveText(state: state, style: style)
    let time = clockText(seconds: state.now.seconds) + label
    if let notice = text.linkNotice { return "\(time)  \(notice)" }
    return state.link?.state == .connected ? "\(time)  " + style.localized("Connected: \(text.strap)") : nil
  }

  /// The line that says what kind of intervals the sensor sends, or nothing before that is known.
  package func sensorLine(_ state: LiveState) -> String? {
    state.sensorClass.map {
      "\(clockText(seconds: state.now.seconds))\(label)  \(style.localized(Phrase(known: $0.finding)))"
    }
  }

  private func text(_ state: LiveState, _ measurement: StressMeasurement) -> String {
    let text = LiveText(state: state, style: style)
    var parts = [
      clockText(seconds: measurement.time.seconds) + label, style.localized("HR \(text.heartRate)"),
      "RMSSD \(text.milliseconds(measurement.nn.rmssd))", "SDNN \(text.milliseconds(measurement.nn.sdnn))",
    ]
    let collecting = measurement.collecting(style)
    parts +=
      collecting.map { [$0] } ?? [
        style.localized("stress \(text.stress ?? "-")"),
        style.localized("confidence \(measurement.confidence.value.fixed(2))"),
      ]
    if !measurement.verdict.isNormal {
      parts.append("[\(style.localized(Phrase(known: measurement.verdict.rawValue)))]")
    }
    if collecting == nil, let reason = text.reasons.first { parts.append(reason) }
    return parts.joined(separator: "  ")
  }
}
