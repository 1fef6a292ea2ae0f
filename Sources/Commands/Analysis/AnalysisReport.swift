import HRV
import HeartRate
import Recording
import Terminal

/// An analysis as text for people and as JSON.
struct AnalysisReport {
  let analysis: SessionAnalysis

  /// One object; the series at the top is the normal beats, or the raw ones where beats are not judged.
  var json: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("file", analysis.file)
      line.put("format", analysis.format)
      line.put("metrics", "time")
      line.put("raw", analysis.judging == .none)
      line.put("duration_s", seconds: SessionTime(ticks: analysis.duration))
      line.put(analysis.main)
      if analysis.judging != .none {
        line.put("artefact_percent", (analysis.normal?.artefactShare).map { $0 * 100 })
        line.put("verdicts") { verdicts in
          for verdict in Verdict.allCases { verdicts.put(verdict.rawValue, analysis.verdicts[verdict] ?? 0) }
        }
      }
      line.put("gaps", analysis.gaps)
      line.put("gap_s", seconds: SessionTime(ticks: analysis.gapTicks))
      if analysis.undecodable > 0 { line.put("undecodable_notifications", analysis.undecodable) }
      if analysis.skippedLines > 0 { line.put("skipped_lines", analysis.skippedLines) }
      line.put("series") { series in
        if let normal = analysis.normal { series.put("normal") { $0.put(normal) } }
        series.put("raw") { $0.put(analysis.raw) }
      }
    }
    return line.bytes
  }

  var text: String {
    let columns = [analysis.normal.map { ("normal", $0) }, ("raw", analysis.raw)].compactMap { $0 }
    var table = TextTable([("", .left)] + columns.map { ($0.0, .right) } + [("", .left)])
    table.append(["beats"] + columns.map { "\($0.1.sums.count)" } + [""])
    for metric in TimeDomainMetric.all {
      let values = columns.map { metric.value($0.1.sums).map { $0.fixed(metric.decimals) } ?? "-" }
      table.append([metric.name] + values + [metric.unit])
    }
    table.append(["Min HR"] + columns.map { $0.1.minHeartRate.map { $0.fixed(1) } ?? "-" } + ["bpm"])
    table.append(["Max HR"] + columns.map { $0.1.maxHeartRate.map { $0.fixed(1) } ?? "-" } + ["bpm"])
    return ([heading] + table.lines() + [quality]).map { $0 + "\n" }.joined()
  }

  private var heading: String {
    let seconds = SessionTime(ticks: analysis.duration).seconds
    return
      "\(analysis.file.printable): \(analysis.format), \(analysis.raw.beats) beats in \(clockText(seconds: seconds))"
  }

  private var quality: String {
    var parts: [String] = []
    if let share = analysis.normal?.artefactShare {
      let kinds = Verdict.allCases.filter { !$0.isNormal }.compactMap { verdict in
        analysis.verdicts[verdict].map { "\(verdict.rawValue) \($0)" }
      }
      let detail = kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
      parts.append("artefacts \((share * 100).fixed(2)) %\(detail)")
    } else {
      parts.append("not judged (--raw)")
    }
    let gapSeconds = SessionTime(ticks: analysis.gapTicks).seconds
    parts.append(analysis.gaps == 0 ? "no gaps" : "gaps: \(analysis.gaps), \(gapSeconds.fixed(1)) s in all")
    if analysis.undecodable > 0 { parts.append("notifications that do not decode: \(analysis.undecodable)") }
    if analysis.skippedLines > 0 { parts.append("bad lines skipped: \(analysis.skippedLines)") }
    return parts.joined(separator: "; ")
  }
}

extension JSONLine {
  /// The members of a series of beats.
  fileprivate mutating func put(_ series: NNSeries) {
    put("beats", series.sums.count)
    put(series.sums)
    put("min_hr_bpm", series.minHeartRate)
    put("max_hr_bpm", series.maxHeartRate)
  }
}
