import HRV
import HeartRate
import History
import JSONLines
import Platform
import Stress
import Terminal

/// A comparison as text for people and as JSON.
struct ComparisonReport {
  let comparison: SessionComparison
  /// Whose history the variation comes from, where it is used.
  let profile: String?

  var text: String {
    let verdict = ChangeSentence(comparison: comparison, profile: profile)
    let reasons = comparison.rows.filter { $0.difference != nil && $0.interval == nil }
    let notes = Self.grouped(reasons.compactMap { row in row.reason.map { (row.a.name, $0) } }) {
      "no interval of \($0): \($1)"
    }
    let missing = [("A", comparison.metrics.a), ("B", comparison.metrics.b)].flatMap { side, metrics in
      Self.grouped(metrics.metrics.compactMap { metric in metric.absence.map { (metric.name, "\($0)") } }) {
        "\(side): no \($0): \($1)"
      }
    }
    let lines = sides + [""] + table + missing + notes + [""] + verdict.lines
    return lines.map { $0 + "\n" }.joined()
  }

  /// Names with the same reason together, in the order of the reasons.
  private static func grouped(
    _ notes: [(name: String, reason: String)], _ sentence: (String, String) -> String
  ) -> [String] {
    var reasons: [String] = []
    for note in notes where !reasons.contains(note.reason) { reasons.append(note.reason) }
    return reasons.map { reason in
      let names = notes.filter { $0.reason == reason }.map { String($0.name.drop { $0 == " " }) }
      return sentence(names.joined(separator: ", "), reason)
    }
  }

  private var table: [String] {
    var table = TextTable([
      ("", .left), ("A", .right), ("B", .right), ("B - A", .right), ("95 % interval", .right), ("", .left),
    ])
    for row in comparison.rows {
      let decimals = row.a.decimals
      table.append([
        row.a.name, row.a.value.map { $0.fixed(decimals) } ?? "-",
        row.b.value.map { $0.fixed(decimals) } ?? "-",
        row.difference?.signed(decimals) ?? "-",
        row.interval.map { "\($0.lowerBound.signed(decimals)) to \($0.upperBound.signed(decimals))" } ?? "-",
        row.a.unit,
      ])
    }
    return table.lines()
  }

  /// What is compared, and how good its data are.
  private var sides: [String] {
    [("A", comparison.a), ("B", comparison.b)].flatMap { letter, side in
      let began = side.time.map { ", \(LocalZone.text($0))" } ?? ""
      let sensor = side.sensor.words.map { ", \($0.printable)" } ?? ""
      return [
        "\(letter)  \(side.name.printable)\(began)\(sensor)",
        "   " + Self.quality(side).joined(separator: "; "),
      ]
    }
  }

  private static func quality(_ side: ComparedSide) -> [String] {
    let data = side.data
    var parts = [
      clockText(seconds: SessionTime(ticks: data.duration).seconds), counted(data.beats.count, "beat"),
      "artefacts \(((side.series.artefactFraction ?? 0) * 100).fixed(1)) %",
    ]
    if let coverage = data.trust.coverage { parts.append("coverage \(coverage.fixed(2))") }
    if data.gaps > 0 {
      parts.append("gaps: \(data.gaps), \(SessionTime(ticks: data.gapTicks).seconds.fixed(1)) s in all")
    }
    if let confidence = data.trust.confidence {
      let reasons = data.trust.reasons
      parts.append(
        "confidence \(confidence.fixed(2))" + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))")
      )
    }
    return parts
  }

  /// One object.
  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("a") { put(comparison.a, comparison.metrics.a, in: &$0) }
      line.put("b") { put(comparison.b, comparison.metrics.b, in: &$0) }
      line.put("metrics", comparison.selection.rawValue)
      line.put("differences") { all in
        for row in comparison.rows { all.put(row.a.key) { put(row, in: &$0) } }
      }
      put(try? comparison.change.get(), in: &line)
      line.put("variability_sd", comparison.variability.differenceSD)
      line.put("variability_windows", comparison.variability.windows)
      line.put(
        "sentence", ChangeSentence(comparison: comparison, profile: profile).lines.joined(separator: " "))
    }
    return line.bytes
  }

  private func put(_ side: ComparedSide, _ metrics: SeriesMetrics, in line: inout JSONLine) {
    line.put("name", side.name)
    line.put("kind", side.kind)
    line.put("time", side.time?.rfc3339)
    line.put("profile", side.profile)
    line.put("source", side.sensor.source?.rawValue)
    line.put("strap", side.sensor.strap?.address)
    line.put("strap_name", side.sensor.strap?.name)
    line.put("duration_s", seconds: SessionTime(ticks: side.data.duration))
    line.put(metrics)
    line.put("artefact_percent", side.series.artefactFraction.map { $0 * 100 })
    line.put("gaps", side.data.gaps)
    line.put("gap_s", seconds: SessionTime(ticks: side.data.gapTicks))
    line.put("coverage", side.data.trust.coverage)
    line.put("confidence", side.data.trust.confidence)
    line.put("confidence_factors") { factors in
      for (factor, value) in side.data.trust.factors { factors.put(factor.rawValue, value) }
    }
  }

  private func put(_ row: SessionComparison.Row, in line: inout JSONLine) {
    line.put("difference", row.difference)
    line.put("low", row.interval?.lowerBound)
    line.put("high", row.interval?.upperBound)
    if let reason = row.reason { line.put("reason", reason) }
  }

  private func put(_ change: RMSSDChange?, in line: inout JSONLine) {
    line.put("changed", change?.isChanged)
    line.put("rmssd_ratio", change?.ratio.value)
    line.put("rmssd_ratio_low", change?.ratio.low)
    line.put("rmssd_ratio_high", change?.ratio.high)
    line.put("smallest_detectable_ratio", change?.smallestDetectableRatio)
  }
}
