import HRV
public import Stress

/// One measurement, as a person reads it.
public struct ReadingCard: Sendable {
  private let style: TerminalStyle

  public init(style: TerminalStyle) { self.style = style }

  /// `baseline` is what the stress value was measured against.
  public func lines(_ measurement: StressMeasurement, baseline: Baseline) -> [String] {
    let nn = measurement.nn
    var lines = ["Stress      " + (stress(measurement) ?? "-")]
    if let warning = measurement.sensorClass?.warning { lines.append("            " + warning) }
    lines.append("Confidence  \(measurement.confidence.value.fixed(2))")
    lines += measurement.confidence.doubts
      .map { "            \($0.factor.reason) (\($0.value.fixed(2)))" }
    lines.append("HR          " + text(nn.meanHeartRate, 1, "bpm"))
    lines.append("RMSSD       " + text(nn.rmssd, 1, "ms"))
    lines.append("SDNN        " + text(nn.sdnn, 1, "ms"))
    lines.append("pNN50       " + text(nn.pNN50, 0, "%"))
    let window = "\(measurement.window.fixed(0)) s"
    lines.append("Beats       \(nn.count) good of \(measurement.beats) in the last \(window)")
    lines.append("Baseline    " + baseline.summary(measurement.metric))
    return lines
  }

  /// The same on one line, for readings in a row.
  public func line(_ measurement: StressMeasurement) -> String {
    let nn = measurement.nn
    var parts = [
      "stress \(stress(measurement) ?? "-")", "confidence \(measurement.confidence.value.fixed(2))",
      "HR " + text(nn.meanHeartRate, 1, "bpm"), "RMSSD " + text(nn.rmssd, 1, "ms"),
    ]
    if let weightiest = measurement.confidence.doubts.first {
      parts.append("\(weightiest.factor.reason) (\(weightiest.value.fixed(2)))")
    }
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
