import HRV
import HeartRate

/// What two sides are compared by: the judged beats of one of them, and how good they are.
struct ComparedBeats {
  /// With final verdicts; times since time 0 of the first part.
  private(set) var beats: [Beat] = []
  /// Where there are data: each part, from the start of its first interval to the end of its last.
  private(set) var stretches: [(start: SessionTime, end: SessionTime)] = []
  private(set) var gaps = 0
  private(set) var gapTicks: Int64 = 0
  private(set) var trust: WindowTrust

  init(_ parts: [SessionPart]) {
    var trusts = WindowTrust.Samples()
    trust = WindowTrust(trusts)
    for part in parts {
      let collected = CollectedBeats(part.events)
      // Judged in the whole session, so that a part's edges have their neighbours.
      let judged = ArtefactClassifier.classify(collected.beats).ended(after: part.start, through: part.end)
      guard let first = judged.first, let last = judged.last else { continue }
      append(judged, offset: part.offset)
      count(collected.gaps, judged, in: (first.end - first.rr)...last.end)
      trusts.add(part, from: first.end - first.rr, through: last.end)
    }
    trust = WindowTrust(trusts)
  }

  /// Sessions that went on side by side are put one behind the other, so that times never run backwards.
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
      gapTicks += beat.rr.ticks
    }
  }

  /// From the first interval to the last, in ticks; times between parts do not count.
  var duration: Int64 { stretches.reduce(0) { $0 + $1.end.ticks - $1.start.ticks } }

  var series: NNSeries {
    var series = NNSeries()
    for beat in beats { series.append(beat) }
    return series
  }

  /// The metrics of windows side by side, from the start of each part on.
  func windows(_ length: Duration, _ selection: MetricsSelection) -> [SeriesMetrics] {
    stretches.flatMap { stretch in
      WindowTimes(from: stretch.start, to: stretch.end, length: length, step: length).map { start, end in
        SeriesMetrics(beats.ended(after: start, through: end), selection)
      }
    }
  }
}
