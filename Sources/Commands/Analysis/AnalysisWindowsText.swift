import HeartRate
import Localization
import NetworkCommands
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
      segmentHeading + [
        (localized("start"), .right), (localized("beats"), .right), (localized("artefacts %"), .right),
      ]
        + shown.map { ("\(metrics[$0].metric.localizedLabel) \(metrics[$0].metric.localizedUnit)", .right) })
    for window in windows.windows { table.append(row(window)) }
    return ([heading] + table.lines() + missing).map { $0 + "\n" }.joined()
  }

  private func row(_ window: AnalysisWindows.Window) -> [String] {
    let artefacts = window.artefactFraction.map { localized(number: $0 * 100, 1) } ?? "-"
    let name = window.segment.map { [$0.name.printable + ($0.epoch.map { " \($0)" } ?? "")] } ?? []
    return name + [clockText(seconds: window.start.seconds), "\(window.metrics.beats)", artefacts]
      + shown.map { window.metrics.metrics[$0].localizedText }
  }

  /// The column of the names of segments, and of their lengths, which differ.
  private var segmentHeading: [(String, TextTable.Alignment)] {
    windows.windows[0].segment == nil ? [] : [(localized("segment"), .left)]
  }

  private var heading: String {
    let (analysis, first) = (windows.analysis, windows.windows[0])
    let length = Duration(ticks: first.end.ticks - first.start.ticks).shortText
    let (file, series) = (analysis.file.printable, AnalysisText.name(ofSeries: analysis.series[0].name))
    let count = windows.windows.count
    if first.segment != nil {
      return localized(
        "\(file): \(series) beats, \(count) segment", "\(file): \(series) beats, \(count) segments",
        count: count)
    }
    return localized(
      "\(file): \(series) beats, \(count) window of \(length)",
      "\(file): \(series) beats, \(count) windows of \(length)", count: count)
  }

  /// The metrics that no window has, with the reason in the first window.
  private var missing: [String] {
    metrics.indices.filter { !shown.contains($0) }.map { place in
      let name = metrics[place].metric.localizedName
      guard let absence = metrics[place].absence else { return localized("no \(name)") }
      return localized("no \(name): \(absence.phrase)")
    }
  }
}
