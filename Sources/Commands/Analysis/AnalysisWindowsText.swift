import HeartRate
import Localization
import Reports
import Terminal

/// The windows of an analysis as a table, one row per window.
struct AnalysisWindowsText {
  private let windows: AnalysisWindows
  private let metrics: [MetricValue]
  /// The metrics that have a value in at least one window.
  private let shown: [Int]

  init(_ windows: AnalysisWindows) {
    self.windows = windows
    let metrics = windows.windows[0].metrics.metrics
    self.metrics = metrics
    shown = metrics.indices.filter { place in
      windows.windows.contains { $0.metrics.metrics[place].value != nil }
    }
  }

  var text: String {
    var table = TextTable(
      [("start", .right), ("beats", .right), ("artefacts %", .right)]
        + shown.map { ("\(metrics[$0].metric.label) \(metrics[$0].metric.unit)", .right) })
    for window in windows.windows { table.append(row(window)) }
    return ([heading] + table.lines() + missing).map { $0 + "\n" }.joined()
  }

  private func row(_ window: AnalysisWindows.Window) -> [String] {
    let artefacts = window.artefactFraction.map { ($0 * 100).fixed(1) } ?? "-"
    return [clockText(seconds: window.start.seconds), "\(window.metrics.beats)", artefacts]
      + shown.map { window.metrics.metrics[$0].text }
  }

  private var heading: String {
    let (analysis, first) = (windows.analysis, windows.windows[0])
    let length = Duration(ticks: first.end.ticks - first.start.ticks).shortText
    return "\(analysis.file.printable): \(analysis.series[0].name) beats, "
      + "\(counted(windows.windows.count, "window")) of \(length)"
  }

  /// The metrics that no window has, with the reason in the first window.
  private var missing: [String] {
    metrics.indices.filter { !shown.contains($0) }.map { place in
      let reason = metrics[place].absence.map { ": \($0)" } ?? ""
      return "no \(metrics[place].metric.name)\(reason)"
    }
  }
}
