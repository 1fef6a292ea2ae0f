import Breathing
import HRV
import HeartRate
import History
import JSONLines
import Localization
import Simulator
import Stress
import Terminal

/// What a breathing exercise came to: as JSON here, for people in the other parts.
struct BreathingReport {
  let result: BreathingResult
  /// The seed of the simulated person, whose resonance is known.
  var simulatedSeed: UInt64?

  /// The rests against one another.
  var rows: [RestDifferences.Row] { RestDifferences(result).rows }

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
      line.put("changed", result.changed.isChange)
      put(result.change, in: &line)
      line.put("variability_sd", result.comparison?.variability.differenceSD)
      line.put("variability_windows", result.comparison?.variability.windows)
      if let estimate = result.resonance { put(estimate, in: &line) }
      line.put("sentence", sentences(.plain).joined(separator: " "))
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
      line.put("artefact_percent", part.side?.series.artefactFraction.map { $0 * 100 })
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
    line.put("resonance_low_limited", rate?.reachesSlowest)
    line.put("resonance_high_limited", rate?.reachesFastest)
    if case .failure(let reason) = estimate.rate {
      line.put("resonance_absent", Language.english.text(reason.words))
    }
    line.put("resonance_steps_brpm", estimate.steps.map(\.rate))
    line.put("resonance_steps_ms", estimate.steps.map(\.amplitude))
    line.put("resonance_steps_error_ms", estimate.steps.map(\.error))
    if let simulatedSeed { line.put("simulated_resonance_brpm", Sitting.resonance(seed: simulatedSeed)) }
  }
}
