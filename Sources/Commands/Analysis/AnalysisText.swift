import HRV
import HeartRate
import Localization
import Reports
import Stress
import Terminal

/// An analysis as text.
struct AnalysisText {
  let analysis: SessionAnalysis

  var text: String {
    let columns = analysis.series
    var table = TextTable([("", .left)] + columns.map { ($0.name, .right) } + [("", .left)])
    table.append(["beats"] + columns.map { "\($0.metrics.beats)" } + [""])
    for row in columns[0].metrics.metrics.indices {
      let cells = columns.map { $0.metrics.metrics[row] }
      table.append([cells[0].metric.label] + cells.map(\.text) + [cells[0].metric.unit])
    }
    let lines = [heading] + table.lines() + reasons + scope + [quality] + warning + rhythm + tooManyArtefacts
    return lines.map { $0 + "\n" }.joined()
      + (analysis.ecg.map { "\n" + ECGAgreementText(agreement: $0).text } ?? "")
  }

  private var heading: String {
    let length = clockText(seconds: SessionTime(ticks: analysis.duration).seconds)
    let column = analysis.column.map { ", column \($0.printable)" } ?? ""
    let beats = counted(analysis.beats, "beat")
    return "\(analysis.file.printable): \(analysis.format)\(column), \(beats) in \(length)"
  }

  /// The reason for each absent metric of the top series.
  private var reasons: [String] {
    analysis.series[0].metrics.metrics.compactMap { metric in
      metric.absence.map { "no \(metric.metric.label): \($0)" }
    }
  }

  private var quality: String {
    var parts = [artefacts]
    if let found = analysis.sensorClass { parts.append(found.name) }
    let gapSeconds = SessionTime(ticks: analysis.gapTicks).seconds
    parts.append(analysis.gaps == 0 ? "no gaps" : "gaps: \(analysis.gaps), \(gapSeconds.fixed(1)) s in all")
    if analysis.undecodable > 0 { parts.append("notifications that do not decode: \(analysis.undecodable)") }
    if analysis.skippedLines > 0 { parts.append("values left out: \(analysis.skippedLines)") }
    return parts.joined(separator: "; ")
  }

  private var artefacts: String {
    guard let fraction = analysis.artefactFraction else { return "not judged (--raw)" }
    let ectopic = analysis.ectopic.flatMap { burden in
      burden.count == 0 ? nil : burden.percent.map { "; ectopic beats \(burden.count) (\($0.fixed(2)) %)" }
    }
    return "artefacts \((fraction * 100).fixed(2)) %\(analysis.verdicts.artefactCounts)\(ectopic ?? "")"
  }

  /// The warning about the sensor, if its class has one.
  private var warning: [String] { [analysis.sensorClass?.warning].compactMap { $0 } }

  /// The warning about an irregular rhythm.
  private var rhythm: [String] {
    guard let rhythm = analysis.rhythm, rhythm.isIrregular else { return [] }
    return [
      "irregular rhythm in \(rhythm.irregularMinutes) of \(counted(rhythm.minutes, "minute")): HRV then does not "
        + "indicate stress or fitness. This is not a diagnosis; a physician can examine the cause with an ECG"
    ]
  }

  /// The warning about intervals that are not normal.
  private var tooManyArtefacts: [String] {
    guard let fraction = analysis.artefactFraction, analysis.validity?.reasons.contains(.artefacts) ?? false
    else {
      return []
    }
    let limit = Int((MetricsValidity.largestFraction * 100).rounded())
    return [
      "not valid: \((fraction * 100).fixed(0)) % of the intervals are not normal. Above \(limit) %, RMSSD of the others is "
        + "more than 20 % off in most minutes"
    ]
  }

  /// States which metrics were computed, unless all were.
  private var scope: [String] {
    analysis.selection == .all
      ? [] : ["only metrics of \(analysis.selection.rawValue) are shown; --metrics all shows the others too"]
  }
}

extension [Verdict: Int] {
  /// The number of artefacts of each kind in parentheses; empty without artefacts.
  var artefactCounts: String {
    let kinds = Verdict.allCases.filter { !$0.isNormal }.compactMap { verdict in
      self[verdict].map { "\(verdict.rawValue) \($0)" }
    }
    return kinds.isEmpty ? "" : " (\(kinds.joined(separator: ", ")))"
  }
}

extension MetricValue {
  /// The value with the decimals of its metric; "-" if it is absent.
  var text: String { value.map { $0.fixed(metric.decimals) } ?? "-" }
}

/// DFA alpha1 over time as a table, and the crossing of 0.75.
struct AlphaReportText {
  private let report: AlphaReport

  init(_ report: AlphaReport) { self.report = report }

  var text: String {
    var table = TextTable([
      ("start", .right), ("HR bpm", .right), ("alpha1", .right), ("artefacts %", .right),
    ])
    for window in report.windows.windows {
      table.append([
        clockText(seconds: window.start.seconds), window.meanHeartRate.map { $0.fixed(0) } ?? "-",
        window.metrics[.dfaAlpha1].map { $0.fixed(2) } ?? "-",
        window.artefactFraction.map { ($0 * 100).fixed(1) } ?? "-",
      ])
    }
    return ([heading] + table.lines() + [result]).map { $0 + "\n" }.joined()
  }

  private var heading: String {
    let first = report.windows.windows[0]
    let length = Duration(ticks: first.end.ticks - first.start.ticks).shortText
    return "\(report.windows.analysis.file.printable): DFA alpha1 in "
      + "\(counted(report.windows.windows.count, "window")) of \(length)"
  }

  private var result: String {
    switch report.threshold {
    case .success(let found):
      "alpha1 falls to 0.75 at \(found.heartRate.fixed(0)) bpm (R^2 \(found.rSquared.fixed(2)), "
        + "\(counted(found.windows, "window"))), an estimate of the aerobic threshold (Rogers et al. 2021)"
    case .failure(let reason): "no crossing of 0.75: \(reason)"
    }
  }
}

/// The agreement of beats with the electrocardiogram as text.
struct ECGAgreementText {
  let agreement: ECGAgreement

  var text: String { ([heading] + table.lines() + [verdicts, errors]).map { $0 + "\n" }.joined() }

  private var heading: String {
    """
    electrocardiogram of \(clockText(seconds: agreement.seconds)): \(counted(agreement.peaks, "R peak")), \
    \(agreement.missed) without a beat; \(counted(agreement.beats, "beat")), \(agreement.extra) without an R peak
    """
  }

  private var table: TextTable {
    let columns = ["R-R equal", "R peak inside", "no R peak", "R-R differs"]
    var table = TextTable([("verdict", .left)] + columns.map { ($0, .right) })
    for verdict in Verdict.allCases {
      guard let counts = agreement.evidence[verdict] else { continue }
      table.append([verdict.rawValue] + ECGAgreement.Evidence.allCases.map { "\(counts[$0] ?? 0)" })
    }
    return table
  }

  private var verdicts: String {
    let percent = 100 * Double(agreement.agreeing) / Double(max(agreement.beats, 1))
    return "verdicts that agree: \(agreement.agreeing) of \(agreement.beats) (\(percent.fixed(1)) %)"
  }

  private var errors: String {
    guard let absolute = agreement.meanAbsoluteError, let mean = agreement.meanError else {
      return "no successive beats to compare"
    }
    return "RR minus R-R: mean absolute error \(absolute.fixed(1)) ms, mean \(mean.fixed(1)) ms"
  }
}
