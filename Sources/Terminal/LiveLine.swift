import HRV
import HeartRate
import LiveSession
import Localization
import Stress

/// The live view as lines of text, for pipes, dumb terminals and `--plain`: at most one measurement per second, and one
/// line per change of the link.
package struct LiveLine: Sendable {
  private let style: TerminalStyle
  private let normal: NormalPosition?
  /// Follows the time; empty for a single session.
  private let label: String
  private var nextAt = Int64.min

  /// - Parameter label: The name of the session, if there are several.
  package init(style: TerminalStyle, label: String? = nil, normal: NormalPosition? = nil) {
    (self.style, self.normal) = (style, normal)
    self.label = label.map { "  " + $0.printable } ?? ""
  }

  /// The line for the newest measurement if it is the first in its second, else nil.
  package mutating func measurementLine(_ state: LiveState) -> String? {
    // The time first: the other condition converts the measurement.
    guard state.measuredAt.ticks >= nextAt, let measurement = state.measurement else { return nil }
    // The next whole second: an interval of one second from this beat would skip every other beat above 60 bpm.
    nextAt = (state.measuredAt.ticks / RRInterval.ticksPerSecond + 1) * RRInterval.ticksPerSecond
    return text(state, measurement)
  }

  /// The line for a change of the link or a notice such as missing contact; nil if it does not exist.
  package func linkLine(_ state: LiveState) -> String? {
    let text = LiveText(state: state, style: style)
    let time = clockText(seconds: state.now.seconds) + label
    if let notice = text.linkNotice { return "\(time)  \(notice)" }
    return state.link?.state == .connected ? "\(time)  " + style.localized("Connected: \(text.strap)") : nil
  }

  /// The warning of a low battery; nil unless the battery is low.
  package func batteryLine(_ state: LiveState) -> String? {
    LiveText(state: state, style: style).batteryNotice.map {
      "\(clockText(seconds: state.now.seconds))\(label)  \($0)"
    }
  }

  /// The line with the kind of intervals that the sensor sends; nil before it is known.
  package func sensorLine(_ state: LiveState) -> String? {
    state.sensorClass.map {
      "\(clockText(seconds: state.now.seconds))\(label)  \(style.localized(Phrase(known: $0.finding)))"
    }
  }

  private func text(_ state: LiveState, _ measurement: LiveMeasurement) -> String {
    let text = LiveText(state: state, style: style)
    var parts = [
      clockText(seconds: state.measuredAt.seconds) + label, text.heartRate, text.variability,
    ]
    let collecting = measurement.collecting(style)
    parts +=
      collecting.map { [$0] } ?? [
        style.localized("stress \(text.stress ?? "-")"),
        style.confidence(measurement.confidence ?? 0),
      ]
    if let position = normal?.phrase(measurement) {
      parts.append(style.localized("HRV \(style.localized(position))"))
    }
    if let verdict = measurement.verdict, !verdict.isNormal {
      parts.append("[\(style.localized(Phrase(known: verdict.rawValue)))]")
    }
    if collecting == nil, let reason = measurement.mainReason(style) { parts.append(reason) }
    return parts.joined(separator: "  ")
  }
}
