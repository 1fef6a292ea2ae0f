import HRV
import HeartRate
import JSONLines
import Stress
import Terminal

/// An analysis as text for people and as JSON.
struct AnalysisReport {
  let analysis: SessionAnalysis

  /// One object: the series at the top, and all of them under `series`.
  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("file", analysis.file)
      line.put("format", analysis.format)
      line.put("column", analysis.column)
      line.put("metrics", analysis.selection.rawValue)
      line.put("raw", analysis.top == .raw)
      line.put("duration_s", seconds: SessionTime(ticks: analysis.duration))
      if let top = analysis.series.first { line.put(top.metrics) }
      if let share = analysis.artefactFraction {
        line.put("artefact_percent", share * 100)
        line.put("verdicts") { verdicts in
          for verdict in Verdict.allCases { verdicts.put(verdict.rawValue, analysis.verdicts[verdict] ?? 0) }
        }
        line.put("corrected_beats", analysis.corrected)
        line.put("sensor_class", analysis.sensorClass?.rawValue)
      }
      line.put("gaps", analysis.gaps)
      line.put("gap_s", seconds: SessionTime(ticks: analysis.gapTicks))
      if analysis.undecodable > 0 { line.put("undecodable_notifications", analysis.undecodable) }
      if analysis.skippedLines > 0 { line.put("skipped_lines", analysis.skippedLines) }
      line.put("series") { all in
        for series in analysis.series { all.put(series.name) { $0.put(series.metrics) } }
      }
    }
    return line.bytes
  }

  var text: String {
    let columns = analysis.series
    var table = TextTable([("", .left)] + columns.map { ($0.name, .right) } + [("", .left)])
    table.append(["beats"] + columns.map { "\($0.metrics.beats)" } + [""])
    for row in columns[0].metrics.metrics.indices {
      let cells = columns.map { $0.metrics.metrics[row] }
      let values = cells.map { cell in cell.value.map { $0.fixed(cell.decimals) } ?? "-" }
      table.append([cells[0].name] + values + [cells[0].unit])
    }
    return ([heading] + table.lines() + reasons + scope + [quality] + warning).map { $0 + "\n" }.joined()
  }

  private var heading: String {
    let length = clockText(seconds: SessionTime(ticks: analysis.duration).seconds)
    let column = analysis.column.map { ", column \($0.printable)" } ?? ""
    let beats = counted(analysis.beats, "beat")
    return "\(analysis.file.printable): \(analysis.format)\(column), \(beats) in \(length)"
  }

  /// Why values of the series at the top are missing.
  private var reasons: [String] {
    analysis.series[0].metrics.metrics.compactMap { metric in
      metric.absence.map { "no \(metric.name): \($0)" }
    }
  }

  private var quality: String {
    var parts: [String] = []
    if let share = analysis.artefactFraction {
      let kinds = Verdict.allCases.filter { !$0.isNormal }.compactMap { verdict in
        analysis.verdicts[verdict].map { "\(verdict.rawValue) \($0)" }
      }
      let detail = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
      parts.append("artefacts \((share * 100).fixed(2)) %\(detail)")
    } else {
      parts.append("not judged (--raw)")
    }
    if let found = analysis.sensorClass { parts.append(found.name) }
    let gapSeconds = SessionTime(ticks: analysis.gapTicks).seconds
    parts.append(analysis.gaps == 0 ? "no gaps" : "gaps: \(analysis.gaps), \(gapSeconds.fixed(1)) s in all")
    if analysis.undecodable > 0 { parts.append("notifications that do not decode: \(analysis.undecodable)") }
    if analysis.skippedLines > 0 { parts.append("values left out: \(analysis.skippedLines)") }
    return parts.joined(separator: "; ")
  }

  /// What the sensor did that the numbers do not show.
  private var warning: [String] { [analysis.sensorClass?.warning].compactMap { $0 } }

  /// What was computed, where that is not everything.
  private var scope: [String] {
    analysis.selection == .all
      ? [] : ["only metrics of \(analysis.selection.rawValue) are shown; --metrics all shows the others too"]
  }
}

extension JSONLine {
  /// The members of a series of beats.
  mutating func put(_ series: SeriesMetrics) {
    put("beats", series.beats)
    for metric in series.metrics { put(metric.key, metric.value) }
    let absent = series.metrics.filter { $0.absence != nil }
    guard !absent.isEmpty else { return }
    put("absent") { reasons in
      for metric in absent { reasons.put(metric.key, metric.absence?.description) }
    }
  }
}
