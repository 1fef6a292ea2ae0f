import Breathing
import HRV
import HeartRate
import History
import JSONLines
package import Localization
import Stress

/// The outcome of a breathing exercise with its differences and sentences; as JSON.
package struct BreathingReport {
  package let result: BreathingResult
  /// The resonance of a simulated person in breaths per minute.
  private let simulatedResonance: Double?

  package init(result: BreathingResult, simulatedResonance: Double? = nil) {
    (self.result, self.simulatedResonance) = (result, simulatedResonance)
  }

  /// The metrics of the rests and the breathing.
  package var rows: [RestDifferences.Row] { RestDifferences(result).rows }

  /// Whether HRV changed, in plain words.
  package var sentences: [Phrase] { change?.plain ?? [absence] }

  /// Whether RMSSD changed, with its interval, the smallest detectable change and their basis.
  package var statistics: [Phrase] { change?.lines ?? [absence] }

  private var change: ChangeSentence? {
    result.comparison.map {
      ChangeSentence(
        comparison: $0, profile: result.session.profile,
        names: (Phrase("the rest before"), Phrase("the rest after")))
    }
  }

  private var absence: Phrase { Phrase("It cannot be told whether your HRV changed: \(missing).") }

  private var missing: Phrase {
    if result.before == nil { return Phrase("the rest before was not measured") }
    if result.before?.side == nil { return Phrase("no heartbeat was received in the rest before") }
    if result.after == nil { return Phrase("the rest after was not measured") }
    if result.after?.side == nil { return Phrase("no heartbeat was received in the rest after") }
    return Phrase("too few data")
  }

  /// One object.
  package var json: [UInt8] {
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
      line.put(.coherence, result.coherence?.value)
      line.put(.sinusArrhythmia, result.coherence?.amplitude)
      line.put("difference") { all in
        for row in rows where row.isCompared { all.put(row.metric.key) { put(row, in: &$0) } }
      }
      line.put("changed", result.changed.isChange)
      line.put(result.change)
      line.put(result.comparison?.variability)
      if let estimate = result.resonance { put(estimate, in: &line) }
      line.put("sentence", sentences.english)
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
      line.put(.stress, part.score?.value)
      line.put(.stressRangeLow, part.range?.low)
      line.put(.stressRangeHigh, part.range?.high)
      line.put("category", part.category?.rawValue)
      line.put(.artefacts, part.side?.series.artefactFraction.map { $0 * 100 })
      line.put(part.side?.data.trust)
    }
  }

  private func put(_ row: RestDifferences.Row, in line: inout JSONLine) {
    line.put("difference", row.difference)
    line.put("low", row.interval?.lowerBound)
    line.put("high", row.interval?.upperBound)
    if row.interval == nil { line.put("reason", "see the sentence") }
  }

  private func put(_ estimate: ResonanceEstimate, in line: inout JSONLine) {
    let rate = try? estimate.rate.get()
    line.put(resonance: rate.map { ($0.value, $0.low, $0.high) })
    line.put("resonance_low_limited", rate?.reachesSlowest)
    line.put("resonance_high_limited", rate?.reachesFastest)
    if case .failure(let reason) = estimate.rate {
      line.put("resonance_absent", Language.english.text(reason.phrase))
    }
    line.put(MetricDefinition.resonance.key(of: "steps"), estimate.steps.map(\.rate))
    line.put("resonance_steps_ms", estimate.steps.map(\.amplitude))
    line.put("resonance_steps_error_ms", estimate.steps.map(\.error))
    if let simulatedResonance { line.put("simulated_\(MetricDefinition.resonance.key)", simulatedResonance) }
  }
}

extension JSONLine {
  /// Adds the resonance with its interval.
  fileprivate mutating func put(resonance: (value: Double, low: Double, high: Double)?) {
    put(.resonance, resonance?.value)
    put(MetricDefinition.resonance.key(of: "low"), resonance?.low)
    put(MetricDefinition.resonance.key(of: "high"), resonance?.high)
  }
}

extension ResonanceEstimate.Reason {
  package var phrase: Phrase {
    switch self {
    case .tooFewSteps(let found, let needed):
      Phrase("\(found) rates with enough normal beats, \(needed) needed")
    case .outside(let rates):
      Phrase(
        """
        the amplitude is largest outside of \("\(rates.lowerBound)") to \("\(rates.upperBound)") breaths per minute
        """)
    case .flat: Phrase("the amplitude has no clear maximum")
    }
  }
}
