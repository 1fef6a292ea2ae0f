import HRV
import Localization
package import Stress

/// One measurement as text.
package struct ReadingCard: Sendable {
  private let style: TerminalStyle

  package init(style: TerminalStyle) { self.style = style }

  private static let margin = 12

  /// - Parameters:
  ///   - baseline: The baseline of the stress value.
  ///   - width: Width of the terminal in columns, for wrapping; nil for no limit.
  package func lines(_ measurement: StressMeasurement, baseline: Baseline, width: Int? = nil) -> [String] {
    let nn = measurement.nn
    let window = "\(measurement.window.fixed(0)) s"
    let reasons = measurement.reasons(style).map { ("", $0) }
    let rows =
      [("Stress", stress(measurement) ?? measurement.collecting(style) ?? "-")]
      + [measurement.sensorClass?.warning].compactMap { $0.map { ("", $0) } }
      + [("Confidence", measurement.confidence.value.fixed(2))] + reasons
      + [
        ("HR", text(nn.meanHeartRate, 1, "bpm")), ("RMSSD", text(nn.rmssd, 1, "ms")),
        ("SDNN", text(nn.sdnn, 1, "ms")), ("pNN50", text(nn.pNN50, 0, "%")),
        ("Beats", "\(nn.count) good of \(measurement.beats) in the last \(window)"),
        ("Baseline", baseline.summary(measurement.metric)),
      ]
    return rows.flatMap { row($0.0, $0.1, width: width) }
  }

  /// The value beside its label; wrapped lines are indented to the value.
  private func row(_ label: String, _ value: String, width: Int?) -> [String] {
    let label = label.padded(to: Self.margin)
    guard let width, label.columns + value.columns > width else { return [label + value] }
    let room = max(10, width - Self.margin)
    return value.wrapped(to: room, unicode: style.unicode).enumerated().map { row, line in
      (row == 0 ? label : String(repeating: " ", count: Self.margin)) + line
    }
  }

  /// The measurement in one line, for a series of readings.
  package func line(_ measurement: StressMeasurement) -> String {
    let nn = measurement.nn
    var parts = [
      "stress \(stress(measurement) ?? "-")", "confidence \(measurement.confidence.value.fixed(2))",
      "HR " + text(nn.meanHeartRate, 1, "bpm"), "RMSSD " + text(nn.rmssd, 1, "ms"),
    ]
    if let reason = measurement.reasons(style).first { parts.append(reason) }
    return parts.joined(separator: "  ")
  }

  private func stress(_ measurement: StressMeasurement) -> String? {
    measurement.score.map { score in
      let icon = score.category.icon(unicode: style.unicode)
      return style.coloured("\(icon) \(score.value.fixed(0)) \(score.category.word)", score.category)
    }
  }

  private func text(_ value: Double?, _ decimals: Int, _ unit: String) -> String {
    value.map { "\($0.fixed(decimals)) \(unit)" } ?? "-"
  }
}
