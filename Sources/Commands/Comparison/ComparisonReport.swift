import HRV
import HeartRate
import History
import Recording
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
      func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + value.fixed(decimals) }
      table.append([
        row.a.name, row.a.value.map { $0.fixed(decimals) } ?? "-",
        row.b.value.map { $0.fixed(decimals) } ?? "-",
        row.difference.map(signed) ?? "-",
        row.interval.map { "\(signed($0.lowerBound)) to \(signed($0.upperBound))" } ?? "-", row.a.unit,
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
      clockText(seconds: SessionTime(ticks: data.duration).seconds), "\(data.beats.count) beats",
      "artefacts \(((side.series.artefactShare ?? 0) * 100).fixed(1)) %",
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
    line.put("artefact_percent", side.series.artefactShare.map { $0 * 100 })
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

/// Whether RMSSD changed, in words.
struct ChangeSentence {
  let comparison: SessionComparison
  let profile: String?

  var lines: [String] {
    switch comparison.change {
    case .failure(let reason): ["Whether RMSSD changed cannot be said: \(words(reason))."]
    case .success(let change): [verdict(change), detectable(change), origin]
    }
  }

  private func verdict(_ change: RMSSDChange) -> String {
    let (a, b) = (comparison.a.series.sums.rmssd ?? .nan, comparison.b.series.sums.rmssd ?? .nan)
    let ratio = change.ratio
    let times =
      "\(a.fixed(1)) ms to \(b.fixed(1)) ms, \(ratio.value.fixed(2)) times (95 % interval \(ratio.low.fixed(2)) to "
      + "\(ratio.high.fixed(2)))"
    guard change.isChanged else { return "No change of RMSSD was found: from \(times)." }
    return "RMSSD changed: it \(change.difference > 0 ? "rose" : "fell") from \(times)."
  }

  private func detectable(_ change: RMSSDChange) -> String {
    let ratio = change.smallestDetectableRatio
    return "The smallest change that could be detected is a rise to \(ratio.fixed(2)) times or a fall to "
      + "\((1 / ratio).fixed(2)) times."
  }

  private var origin: String {
    let sd = comparison.variability.differenceSD.fixed(2)
    guard comparison.variability.windows > 0, let profile else {
      return
        "That is by how ln RMSSD varies within one rest: SD \(sd) of the difference of two minutes, which is usual."
    }
    return
      "That is by how ln RMSSD of '\(profile.printable)' varies within one rest: SD \(sd) of the difference of two "
      + "minutes, from \(comparison.variability.windows) minutes of the history."
  }

  private func words(_ reason: RMSSDChange.Reason) -> String {
    switch reason {
    case .tooShort(let place, let seconds):
      "\(place.rawValue) holds \(seconds.fixed(0)) s of normal beats in a row, "
        + "\(RMSSDChange.shortest.fixed(0)) s are needed"
    case .noVariation(let place): "all intervals of \(place.rawValue) are equal, as no heart's are"
    case .untrusted(let place, let trust):
      "the data of \(place.rawValue) are not good enough (\(trust.fixed(2)) of 1, "
        + "\(RMSSDChange.leastTrust.fixed(2)) is needed): \(side(place).data.trust.reasonsOfData.joined(separator: "; "))"
    }
  }

  private func side(_ place: RMSSDChange.Place) -> ComparedSide {
    place == .a ? comparison.a : comparison.b
  }
}
