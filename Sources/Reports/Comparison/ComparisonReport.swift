import HRV
import HeartRate
import History
import JSONLines
package import Localization
import Stress

/// A comparison and its sentences; as JSON.
package struct ComparisonReport {
  package let comparison: SessionComparison
  /// The profile whose history the variability comes from, unless the population default applies.
  package let profile: String?

  private let provenance: Provenance

  package init(
    comparison: SessionComparison, profile: String?,
    provenance: Provenance = Provenance(AnalysisMethods(), top: .normal)
  ) {
    (self.comparison, self.profile, self.provenance) = (comparison, profile, provenance)
  }

  package var sentences: [Phrase] { ChangeSentence(comparison: comparison, profile: profile).lines }

  /// One object.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("a") { put(comparison.a, comparison.metrics.a, in: &$0) }
      line.put("b") { put(comparison.b, comparison.metrics.b, in: &$0) }
      line.put("metrics", comparison.selection.rawValue)
      line.put("differences") { all in
        for row in comparison.rows { all.put(row.a.metric.key) { put(row, in: &$0) } }
      }
      let change = try? comparison.change.get()
      line.put("changed", change?.isChanged)
      line.put(change)
      line.put(comparison.variability)
      line.put("sentence", sentences.english)
      provenance.put(into: &line)
    }
    return line.bytes
  }

  private func put(_ side: ComparedSide, _ metrics: SeriesMetrics, in line: inout JSONLine) {
    line.put("name", side.name)
    line.put("kind", side.kind.rawValue)
    line.put("time", side.time?.rfc3339)
    line.put("profile", side.profile)
    line.put("source", side.sensor.source?.rawValue)
    line.put("strap", side.sensor.strap?.address)
    line.put("strap_name", side.sensor.strap?.name)
    line.put("duration_s", seconds: SessionTime(ticks: side.data.duration))
    line.put(metrics)
    line.put(.artefacts, side.series.artefactFraction.map { $0 * 100 })
    line.put("gaps", side.data.gaps)
    line.put("gap_s", seconds: SessionTime(ticks: side.data.gapTicks))
    line.put(side.data.trust)
  }

  private func put(_ row: SessionComparison.Row, in line: inout JSONLine) {
    line.put("difference", row.difference)
    line.put("low", row.interval?.lowerBound)
    line.put("high", row.interval?.upperBound)
    if let reason = row.reason { line.put("reason", Language.english.text(reason)) }
  }
}

extension [Phrase] {
  /// The sentences in English, separated by spaces.
  var english: String { map { Language.english.text($0) }.joined(separator: " ") }
}

extension JSONLine {
  /// Adds the ratio of RMSSD with its interval, and the smallest ratio that counts as a change.
  mutating func put(_ change: RMSSDChange?) {
    put(ratio: change.map { ($0.ratio.value, $0.ratio.low, $0.ratio.high) })
    put(.detectableRatio, change?.smallestDetectableRatio)
  }

  mutating func put(ratio: (value: Double, low: Double, high: Double)?) {
    put(.rmssdRatio, ratio?.value)
    put(MetricDefinition.rmssdRatio.key(of: "low"), ratio?.low)
    put(MetricDefinition.rmssdRatio.key(of: "high"), ratio?.high)
  }

  /// Adds the variability of undisturbed rest.
  mutating func put(_ variability: RestVariability?) {
    put("variability_sd", variability?.differenceSD)
    put("variability_windows", variability?.windows)
  }

  /// Adds coverage, confidence and its factors.
  mutating func put(_ trust: WindowTrust?) {
    put(.coverage, trust?.coverage)
    put(.confidence, trust?.confidence)
    put("confidence_factors") { factors in
      for (factor, value) in trust?.factors ?? [] { factors.put(factor.rawValue, value) }
    }
  }
}
