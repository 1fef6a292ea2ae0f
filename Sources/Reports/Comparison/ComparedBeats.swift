package import HRV
package import HeartRate

/// The classified beats of one side of a comparison, and their quality.
package struct ComparedBeats {
  /// Beats with final verdicts; times since time 0 of the first part.
  package private(set) var beats: [Beat] = []
  /// The extent of each part, from the start of its first interval to the end of its last one.
  package private(set) var stretches: [(start: SessionTime, end: SessionTime)] = []
  package private(set) var gaps = 0
  package private(set) var gapTicks: Int64 = 0
  package let trust: WindowTrust

  private let spectrum: SpectrumSettings

  init(
    _ parts: [SessionPart], methods: AnalysisMethods = AnalysisMethods(), top: SessionAnalysis.Top = .normal
  ) {
    spectrum = methods.spectrum
    var trusts = WindowTrust.Samples()
    var found: [(beats: ArraySlice<Beat>, gaps: [Gap], part: SessionPart)] = []
    for part in parts {
      var collected = CollectedBeats(part.events)
      // The whole session is classified: beats at the edges of a part need their neighbours.
      var all = collected.takeBeats()
      if top != .raw { methods.classification.classify(&all) }
      if top == .corrected { all = CorrectedSeries(of: all).beats }
      let judged = all.ended(after: part.start, through: part.end)
      guard let first = judged.first, let last = judged.last else { continue }
      found.append((judged, collected.gaps, part))
      trusts.add(part, from: first.end - first.rr, through: last.end)
    }
    trust = WindowTrust(trusts)
    for (judged, gaps, part) in found {
      guard let first = judged.first, let last = judged.last else { continue }
      append(judged, offset: part.offset)
      count(gaps, judged, in: (first.end - first.rr)...last.end)
    }
  }

  /// Appends the beats of a part. Parts that overlap in time are placed one after the other, because times must not decrease.
  private mutating func append(_ judged: ArraySlice<Beat>, offset: Int64) {
    let place = beats.count
    let start = judged.first.map { ($0.end - $0.rr).ticks } ?? 0
    let offset = max(offset, stretches.last.map { $0.end.ticks - start } ?? offset)
    for beat in judged {
      var beat = beat
      beat.end = SessionTime(ticks: beat.end.ticks + offset)
      beats.append(beat)
    }
    beats[place].followsBreak = true
    stretches.append((beats[place].end - beats[place].rr, beats[beats.count - 1].end))
  }

  private mutating func count(
    _ found: [Gap], _ judged: ArraySlice<Beat>, in range: ClosedRange<SessionTime>
  ) {
    for gap in found where gap.end > range.lowerBound && gap.start < range.upperBound {
      gaps += 1
      gapTicks += min(gap.end, range.upperBound).ticks - max(gap.start, range.lowerBound).ticks
    }
    for beat in judged where beat.verdict == .gap {
      gaps += 1
      gapTicks = (SessionTime(ticks: gapTicks) + beat.rr).ticks
    }
  }

  /// Sum of the extents of all parts in ticks. The time between parts is excluded.
  package var duration: Int64 { stretches.reduce(0) { $0 + $1.end.ticks - $1.start.ticks } }

  /// Start and end of all parts together, in seconds of session time.
  var times: (start: Double, end: Double, length: Double)? {
    guard let first = stretches.first, let last = stretches.last else { return nil }
    let (start, end) = (first.start.seconds, last.end.seconds)
    return (start, end, end - start)
  }

  func metrics(_ selection: MetricsSelection) -> SeriesMetrics {
    SeriesMetrics(beats, selection, spectrum: spectrum)
  }

  package var series: NNSeries { NNSeries(of: beats) }

  /// The metrics of adjacent windows, from the start of each part.
  func windows(_ length: Duration, _ selection: MetricsSelection) -> [SeriesMetrics] {
    stretches.flatMap { stretch in
      let times = WindowTimes(
        from: stretch.start, to: stretch.end, length: length, step: length, with: beats)
      return times.map { start, end in
        SeriesMetrics(beats.ended(after: start, through: end), selection, spectrum: spectrum)
      }
    }
  }
}
