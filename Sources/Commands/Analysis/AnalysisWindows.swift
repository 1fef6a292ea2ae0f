import HRV
import HeartRate
import JSONLines
import Terminal

/// The metrics of a series over time, window by window.
struct AnalysisWindows {
  /// One window: the beats that ended in (`start`, `end`].
  struct Window {
    let start: SessionTime
    let end: SessionTime
    let metrics: SeriesMetrics
    /// Share of its beats that are not normal, 0 to 1; absent where nothing is judged, and without beats.
    let artefactFraction: Double?
  }

  let analysis: SessionAnalysis
  let windows: [Window]

  /// Windows of `length`, one every `step`, from the start of the first interval on; only whole ones.
  /// - Throws: ``CommandFailure`` when not even one fits.
  init(_ analysis: SessionAnalysis, length: Duration, step: Duration) throws(CommandFailure) {
    self.analysis = analysis
    let beats = analysis.topBeats
    let all = analysis.top == .raw ? beats : analysis.classified
    let start = all.first.map { $0.end - $0.rr } ?? .zero
    let end = SessionTime(ticks: start.ticks + analysis.duration)
    windows = WindowTimes(from: start, to: end, length: length, step: step).map { start, end in
      var judged = NNSeries()
      for beat in all.ended(after: start, through: end) { judged.append(beat) }
      return Window(
        start: start, end: end,
        metrics: SeriesMetrics(beats.ended(after: start, through: end), analysis.selection),
        artefactFraction: analysis.top == .raw ? nil : judged.artefactFraction)
    }
    guard !windows.isEmpty else {
      let seconds = SessionTime(ticks: analysis.duration).seconds
      throw CommandFailure(
        .badData,
        "\(analysis.file.printable) lasts \(seconds.fixed(1)) s, too short for a window of "
          + "\(length.shortText); choose a shorter one, such as --window \(Int(max(1, seconds / 2)))")
    }
  }

  /// One object per window.
  var json: [UInt8] {
    var line = JSONLine()
    for window in windows {
      line.line { line in
        line.put("file", analysis.file)
        if let started = analysis.started {
          line.put("time", started.advanced(ticks: window.start.ticks).rfc3339)
        }
        line.put("start_s", seconds: window.start)
        line.put("duration_s", seconds: SessionTime(ticks: window.end.ticks - window.start.ticks))
        line.put("metrics", analysis.selection.rawValue)
        line.put("series", analysis.series[0].name)
        line.put(window.metrics)
        if analysis.top != .raw { line.put("artefact_percent", window.artefactFraction.map { $0 * 100 }) }
      }
    }
    return line.bytes
  }

  /// A row per window. A metric that no window has is told below instead.
  var text: String {
    let all = windows[0].metrics.metrics
    let shown = all.indices.filter { place in windows.contains { $0.metrics.metrics[place].value != nil } }
    var table = TextTable(
      [("start", .right), ("beats", .right), ("artefacts %", .right)]
        + shown.map { ("\(all[$0].name) \(all[$0].unit)", .right) })
    for window in windows {
      let cells = shown.map { place in
        window.metrics.metrics[place].value.map { $0.fixed(all[place].decimals) } ?? "-"
      }
      let artefacts = window.artefactFraction.map { ($0 * 100).fixed(1) } ?? "-"
      table.append(
        [clockText(seconds: window.start.seconds), "\(window.metrics.beats)", artefacts] + cells)
    }
    let missing = all.indices.filter { !shown.contains($0) }.map { place in
      let reason = windows[0].metrics.metrics[place].absence.map { ": \($0)" } ?? ""
      return "no \(all[place].name.trimmed)\(reason)"
    }
    let heading =
      "\(analysis.file.printable): \(analysis.series[0].name) beats, \(counted(windows.count, "window")) of "
    let length = Duration(ticks: windows[0].end.ticks - windows[0].start.ticks).shortText
    return ([heading + length] + table.lines() + missing).map { $0 + "\n" }.joined()
  }
}

extension String {
  /// Without the spaces that it begins with.
  fileprivate var trimmed: Substring { drop { $0 == " " } }
}
