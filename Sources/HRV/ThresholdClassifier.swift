import HeartRate

/// How far an interval may be from its neighbours in the threshold-based correction of artefacts.
///
/// The levels and thresholds are those of Kubios HRV (Tarvainen et al., Kubios HRV User's Guide): each interval is
/// compared with the local median, and the threshold holds for 60 bpm. At other heart rates it is proportional to the
/// local median interval.
public enum CorrectionLevel: String, CaseIterable, Sendable {
  case veryLow = "very-low"
  case low
  case medium
  case strong
  case veryStrong = "very-strong"

  /// Threshold in seconds at a median interval of one second.
  public var threshold: Double {
    switch self {
    case .veryLow: 0.45
    case .low: 0.35
    case .medium: 0.25
    case .strong: 0.15
    case .veryStrong: 0.05
    }
  }
}

/// Classifies intervals by their distance from the median of the 11 surrounding intervals: `long` above and `short`
/// below the threshold of a ``CorrectionLevel``. For comparison with programs that use thresholds; unlike
/// ``ArtefactClassifier``, it does not adapt to the variability and does not distinguish causes.
///
/// Missing data split the series into segments: breaks, and intervals longer than 3 s, which are `gap`. At both ends
/// of a segment the median is that of the existing neighbours.
///
/// - Complexity: O(n).
public enum ThresholdClassifier {
  /// Returns the beats with verdicts; existing verdicts are ignored.
  public static func classify(_ beats: [Beat], level: CorrectionLevel) -> [Beat] {
    var classified = beats
    classify(&classified, level: level)
    return classified
  }

  /// Sets the verdicts of beats without copying them.
  public static func classify(_ beats: inout [Beat], level: CorrectionLevel) {
    var start = 0
    for index in beats.indices {
      let isGap = beats[index].rr.ticks > ArtefactCriteria.standard.longest
      if index > 0, beats[index - 1].rr.ticks > ArtefactCriteria.standard.longest {
        beats[index].followsBreak = true
      }
      if beats[index].followsBreak || isGap {
        classify(&beats, start..<index, level)
        start = isGap ? index + 1 : index
      }
      if isGap { beats[index].verdict = .gap }
    }
    classify(&beats, min(start, beats.count)..<beats.count, level)
  }

  /// Classifies the intervals of one segment.
  private static func classify(_ beats: inout [Beat], _ segment: Range<Int>, _ level: CorrectionLevel) {
    let reach = SegmentSeries.halfMedian
    for index in segment {
      let neighbours = max(segment.lowerBound, index - reach)..<min(segment.upperBound, index + reach + 1)
      let sorted = beats[neighbours].map(\.rr.ticks).sorted()
      let median = Double(sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
      let deviation = Double(beats[index].rr.ticks) - median
      let isOutlier = abs(deviation) > level.threshold * median
      beats[index].verdict = isOutlier ? (deviation > 0 ? .long : .short) : .normal
    }
  }
}
