import HRV
import HeartRate
import Localization
import Reports
import Terminal

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
