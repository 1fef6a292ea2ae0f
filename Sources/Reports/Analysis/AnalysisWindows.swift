package import HRV
package import HeartRate
import JSONLines

/// The metrics of the top series in consecutive windows.
package struct AnalysisWindows {
  /// One window: the beats that end in (`start`, `end`].
  package struct Window {
    /// The part of the session that the window is, unless windows are consecutive.
    package let segment: Segment.Part?
    package let start: SessionTime
    package let end: SessionTime
    package let metrics: SeriesMetrics
    /// Fraction of the beats that are not normal, 0 to 1. Undefined if there are no verdicts or no beats.
    package let artefactFraction: Double?
    /// Number of beats of each verdict; empty without verdicts.
    package let verdicts: [Verdict: Int]
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
    let (start, end) = Self.extent(analysis)
    let all = analysis.top == .raw ? analysis.topBeats : analysis.classified
    windows = WindowTimes(from: start, to: end, length: length, step: step, with: all).map { start, end in
      Window(analysis, nil, start, end, analysis.selection)
    }
    guard !windows.isEmpty else { return nil }
  }

  /// The parts of the session that the segments select, limited to the session.
  /// - Throws: ``ReportError`` if a mark does not exist, or a part contains no beat.
  package init(
    _ analysis: SessionAnalysis, segments: [Segment], selection: MetricsSelection? = nil
  ) throws(ReportError) {
    self.analysis = analysis
    let (start, end) = Self.extent(analysis)
    var windows: [Window] = []
    for segment in segments {
      for part in try segment.parts(analysis.marks) {
        let (from, to) = (max(start, part.from ?? start), min(end, part.to ?? end))
        guard from < to else { throw ReportError(.noBeats, "\(analysis.file)@\(segment.name)") }
        windows.append(Window(analysis, part, from, to, selection ?? analysis.selection))
      }
    }
    self.windows = windows
  }

  private static func extent(_ analysis: SessionAnalysis) -> (start: SessionTime, end: SessionTime) {
    let all = analysis.top == .raw ? analysis.topBeats : analysis.classified
    let start = all.first.map { $0.end - $0.rr } ?? .zero
    return (start, SessionTime(ticks: start.ticks + analysis.duration))
  }

  /// One object per window.
  package var json: [UInt8] {
    var line = JSONLine()
    for window in windows {
      line.line { line in
        line.put("file", analysis.file)
        if let segment = window.segment {
          line.put("segment", segment.name)
          if let epoch = segment.epoch { line.put("epoch", epoch) }
        }
        if let started = analysis.started {
          line.put("time", started.advanced(ticks: window.start.ticks).rfc3339)
        }
        line.put("start_s", seconds: window.start)
        line.put("duration_s", seconds: SessionTime(ticks: window.end.ticks - window.start.ticks))
        line.put("metrics", analysis.selection.rawValue)
        line.put("series", analysis.series[0].name)
        analysis.provenance.put(into: &line)
        line.put(window.metrics)
        if analysis.top != .raw { line.put(.artefacts, window.artefactFraction.map { $0 * 100 }) }
      }
    }
    return line.bytes
  }
}

extension AnalysisWindows.Window {
  fileprivate init(
    _ analysis: SessionAnalysis, _ segment: Segment.Part?, _ start: SessionTime, _ end: SessionTime,
    _ selection: MetricsSelection
  ) {
    let judged = analysis.classified.ended(after: start, through: end)
    let inside = analysis.topBeats.ended(after: start, through: end)
    let series = NNSeries(of: analysis.top == .raw ? inside : judged)
    (self.segment, self.start, self.end) = (segment, start, end)
    metrics = SeriesMetrics(inside, selection, spectrum: analysis.methods.spectrum)
    artefactFraction = analysis.top == .raw ? nil : series.artefactFraction
    verdicts = judged.reduce(into: [:]) { $0[$1.verdict, default: 0] += 1 }
    meanHeartRate = series.sums.meanHeartRate
  }
}
