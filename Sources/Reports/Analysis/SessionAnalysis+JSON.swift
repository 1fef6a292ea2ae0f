import HRV
import HeartRate
import JSONLines
import Stress

extension SessionAnalysis {
  /// One object: the metrics of the top series as members, and those of all series under `series`.
  package var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("file", file)
      line.put("format", format)
      line.put("column", column)
      line.put("metrics", selection.rawValue)
      line.put("psd", methods.spectrum.method.rawValue)
      line.put("detrend", methods.spectrum.detrending.rawValue)
      line.put("raw", top == .raw)
      if top != .raw {
        line.put("correction", methods.correctionName)
        line.put("classifier", methods.classifierName)
      }
      line.put("duration_s", seconds: SessionTime(ticks: duration))
      if let top = series.first { line.put(top.metrics) }
      if let fraction = artefactFraction { putQuality(fraction, into: &line) }
      line.put("gaps", gaps)
      line.put("gap_s", seconds: SessionTime(ticks: gapTicks))
      if undecodable > 0 { line.put("undecodable_notifications", undecodable) }
      if skippedLines > 0 { line.put("skipped_lines", skippedLines) }
      line.put("series") { all in
        for series in series { all.put(series.name) { $0.put(series.metrics) } }
      }
      if let ecg { line.put(ecg) }
    }
    return line.bytes
  }

  private func putQuality(_ artefactFraction: Double, into line: inout JSONLine) {
    line.put(.artefacts, artefactFraction * 100)
    line.put("verdicts", verdicts)
    line.put("ectopic_beats", ectopic?.count)
    line.put("ectopic_percent", ectopic?.percent)
    line.put("corrected_beats", corrected)
    line.put("sensor_class", sensorClass?.rawValue)
    line.put("rhythm_minutes", rhythm?.minutes)
    line.put("irregular_minutes", rhythm?.irregularMinutes)
    line.put("irregular_rhythm", rhythm?.isIrregular)
    line.put("metrics_valid", validity?.isValid)
    line.put("invalid_reasons", texts: validity?.reasons.map(\.rawValue) ?? [])
  }
}

extension JSONLine {
  /// Adds an object with the number of beats of each verdict.
  mutating func put(_ key: String, _ verdicts: [Verdict: Int]) {
    put(key) { all in
      for verdict in Verdict.allCases { all.put(verdict.rawValue, verdicts[verdict] ?? 0) }
    }
  }
}
