import Breathing
import HRV
import HeartRate
import History
import Recording
import Simulator
import Stress
import Terminal

/// What a breathing exercise came to, as a card for people and as JSON.
struct BreathingReport {
  let result: BreathingResult
  /// The seed of the simulated person, whose resonance is known.
  var simulatedSeed: UInt64?

  // MARK: For people

  var text: String {
    let rests = result.before == nil && result.after == nil && result.resonance != nil ? [] : table + [""]
    let lines = [heading, ""] + rests + follows + resonance + (rests.isEmpty ? [] : sentences)
    return lines.map { $0 + "\n" }.joined()
  }

  /// The same for a terminal of that size, what matters most first.
  func card(_ style: TerminalStyle, _ size: TerminalSize) -> [String] {
    let words = (sentences + follows).flatMap { $0.wrapped(to: size.columns) }
    let kept = result.stored == nil ? [] : ["Kept: stressmon breathe --list"]
    let all = [style.bold(heading)] + words + [""] + table + [""] + kept
    let last = style.dim("Any key goes back to the live screen. The session goes on.")
    return (all.prefix(max(0, size.rows - 2)) + [last]).map {
      $0.clipped(to: size.columns, unicode: style.unicode)
    }
  }

  private var heading: String {
    "Breathing \(result.patternName): \(result.cycles) of \(result.plannedCycles) cycles, "
      + clockText(seconds: result.during.seconds)
  }

  private var table: [String] {
    var table = TextTable([
      ("", .left), ("before", .right), ("during", .right), ("after", .right), ("difference", .right),
      ("95 % interval", .right),
    ])
    for row in rows {
      func signed(_ value: Double) -> String { (value > 0 ? "+" : "") + value.fixed(row.decimals) }
      table.append(
        [row.name] + row.values.map { $0.map { $0.fixed(row.decimals) } ?? "-" } + [
          row.difference.map(signed) ?? "-",
          row.interval.map { "\(signed($0.lowerBound)) to \(signed($0.upperBound))" } ?? "-",
        ])
    }
    return table.lines()
  }

  private var rows: [RestDifferences.Row] { RestDifferences(result).rows }

  private var follows: [String] {
    guard let coherence = result.coherence else {
      return ["How well your heart followed your breath cannot be said: too few cycles with good beats."]
    }
    return [
      "Coherence \(coherence.value.fixed(2)): \((coherence.value * 100).fixed(0)) % of the variation of your heartbeat "
        + "went with your breath, \((2 * coherence.amplitude).fixed(0)) ms from fastest to slowest."
    ]
  }

  private var resonance: [String] {
    guard let estimate = result.resonance else { return [] }
    var table = TextTable([("breaths/min", .right), ("swing ms", .right), ("error", .right)])
    for step in estimate.steps {
      table.append([step.rate.fixed(2), (2 * step.amplitude).fixed(0), (2 * step.error).fixed(0)])
    }
    switch estimate.rate {
    case .failure(let reason): return table.lines() + ["No resonance was found: \(reason)."]
    case .success(let rate):
      let half = (30 / rate.value).fixed(1)
      return table.lines() + [
        "Your heart swings furthest at \(rate.value.fixed(2)) breaths a minute (95 % interval \(rate.low.fixed(2)) to "
          + "\(rate.high.fixed(2))). Practise it with: stressmon breathe --pattern \(half)-\(half)"
      ]
    }
  }

  /// Whether RMSSD changed, and how sure that is.
  private var sentences: [String] {
    guard let comparison = result.comparison else {
      return ["Whether RMSSD changed cannot be said: \(missing)."]
    }
    return ChangeSentence(
      comparison: comparison, profile: result.session.profile, names: ("the rest before", "the rest after")
    ).lines
  }

  private var missing: String {
    for (part, name) in [(result.before, "before"), (result.after, "after")] {
      if part == nil { return "the rest \(name) was not measured" }
      if part?.side == nil { return "no heartbeat came in the rest \(name)" }
    }
    return "too little was measured"
  }

  // MARK: JSON

  /// One object.
  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("session", result.session.id?.text)
      line.put("profile", result.session.profile)
      line.put("time", result.session.started?.advanced(ticks: result.times.during.lowerBound.ticks).rfc3339)
      line.put("source", result.session.sensor.source?.rawValue)
      line.put("pattern", result.patternName)
      line.put("cycles", result.cycles)
      line.put("planned_cycles", result.plannedCycles)
      put("before", result.before, in: &line)
      put("during", result.during, in: &line)
      put("after", result.after, in: &line)
      line.put("coherence", result.coherence?.value)
      line.put("rsa_ms", result.coherence?.amplitude)
      line.put("difference") { all in
        for row in rows where row.isCompared { all.put(row.key) { put(row, in: &$0) } }
      }
      line.put("changed", result.changed.rawValue)
      put(result.change, in: &line)
      line.put("variability_sd", result.comparison?.variability.differenceSD)
      line.put("variability_windows", result.comparison?.variability.windows)
      if let estimate = result.resonance { put(estimate, in: &line) }
      line.put("sentence", sentences.joined(separator: " "))
    }
    return line.bytes
  }

  private func put(_ key: String, _ part: BreathingResult.Part?, in line: inout JSONLine) {
    guard let part else { return line.put(key, nil as String?) }
    line.put(key) { line in
      line.put("start_s", seconds: part.times.lowerBound)
      line.put("duration_s", part.seconds)
      let sums = part.side?.series.sums ?? NNSums()
      line.put("beats", sums.count)
      line.put(sums)
      line.put("stress", part.score?.value)
      line.put("category", part.score?.category.rawValue)
      line.put("artefact_percent", part.side?.series.artefactShare.map { $0 * 100 })
      line.put("coverage", part.side?.data.trust.coverage)
      line.put("confidence", part.side?.data.trust.confidence)
      line.put("confidence_factors") { factors in
        for (factor, value) in part.side?.data.trust.factors ?? [] { factors.put(factor.rawValue, value) }
      }
    }
  }

  private func put(_ row: RestDifferences.Row, in line: inout JSONLine) {
    line.put("difference", row.difference)
    line.put("low", row.interval?.lowerBound)
    line.put("high", row.interval?.upperBound)
    if row.interval == nil { line.put("reason", "see the sentence") }
  }

  private func put(_ change: RMSSDChange?, in line: inout JSONLine) {
    line.put("rmssd_ratio", change?.ratio.value)
    line.put("rmssd_ratio_low", change?.ratio.low)
    line.put("rmssd_ratio_high", change?.ratio.high)
    line.put("smallest_detectable_ratio", change?.smallestDetectableRatio)
  }

  private func put(_ estimate: ResonanceEstimate, in line: inout JSONLine) {
    let rate = try? estimate.rate.get()
    line.put("resonance_brpm", rate?.value)
    line.put("resonance_low_brpm", rate?.low)
    line.put("resonance_high_brpm", rate?.high)
    if case .failure(let reason) = estimate.rate { line.put("resonance_absent", "\(reason)") }
    line.put("resonance_steps_brpm", estimate.steps.map(\.rate))
    line.put("resonance_steps_ms", estimate.steps.map(\.amplitude))
    line.put("resonance_steps_error_ms", estimate.steps.map(\.error))
    if let simulatedSeed { line.put("simulated_resonance_brpm", Sitting.resonance(seed: simulatedSeed)) }
  }
}
