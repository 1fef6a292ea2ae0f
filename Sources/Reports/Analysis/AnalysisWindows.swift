import HRV
package import HeartRate
import JSONLines

/// The metrics of the top series in consecutive windows.
package struct AnalysisWindows {
  /// One window: the beats that end in (`start`, `end`].
  package struct Window {
    package let start: SessionTime
    package let end: SessionTime
    package let metrics: SeriesMetrics
    /// Fraction of the beats that are not normal, 0 to 1. Undefined if there are no verdicts or no beats.
    package let artefactFraction: Double?
    /// In bpm, if there are normal beats; also if the metrics of the time domain are not selected.
    package let meanHeartRate: Double?
  }

  package let analysis: SessionAnalysis
  /// At least one window.
  package let windows: [Window]

  /// Complete windows of `length`, one every `step`, from the start of the first interval, except those that have no beat.
  /// Fails if no window fits.
  package init?(_ analysis: SessionAnalysis, length: Duration, step: Duration) {
    self.analysis = analysis
    let beats = analysis.topBeats
    let all = analysis.top == .raw ? beats : analysis.classified
    let start = all.first.map { $0.end - $0.rr } ?? .zero
    let end = SessionTime(ticks: start.ticks + analysis.duration)
    windows = WindowTimes(from: start, to: end, length: length, step: step, with: all).map { start, end in
      let judged = NNSeries(of: all.ended(after: start, through: end))
      let inside = beats.ended(after: start, through: end)
      return Window(
        start: start, end: end,
        metrics: SeriesMetrics(inside, analysis.selection, spectrum: analysis.methods.spectrum),
        artefactFraction: analysis.top == .raw ? nil : judged.artefactFraction,
        meanHeartRate: judged.sums.meanHeartRate)
    }
    guard !windows.isEmpty else { return nil }
  }

  /// One object per window.
  package var json: [UInt8] {
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
        if analysis.top != .raw { line.put(.artefacts, window.artefactFraction.map { $0 * 100 }) }
      }
    }
    return line.bytes
  }
}
