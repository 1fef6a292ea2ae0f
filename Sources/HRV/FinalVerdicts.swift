public import HeartRate

extension ArtefactClassifier {
  /// Returns the final verdicts on a complete series, in which only an interval longer than 3 s indicates
  /// missing data.
  public static func verdicts(
    on intervals: [RRInterval], criteria: ArtefactCriteria = .standard
  ) -> [Verdict] {
    var classifier = ArtefactClassifier(criteria: criteria)
    var verdicts: [Verdict] = []
    verdicts.reserveCapacity(intervals.count)
    for rr in intervals { classifier.update(rr) { verdicts.append($0) } }
    classifier.finish { verdicts.append($0) }
    return verdicts
  }

  /// Returns the beats with their final verdicts. The series is split at breaks and at intervals longer than
  /// 3 s; existing verdicts are ignored.
  public static func classify(_ beats: [Beat], criteria: ArtefactCriteria = .standard) -> [Beat] {
    var classifier = ArtefactClassifier(criteria: criteria)
    var classified = beats
    var next = 0
    func settle(_ verdict: Verdict) {
      classified[next].verdict = verdict
      next += 1
    }
    for beat in beats {
      if beat.followsBreak { classifier.breakOff(settle) }
      classifier.update(beat.rr, final: settle)
    }
    classifier.finish(settle)
    for index in classified.indices.dropFirst() where classified[index - 1].verdict == .gap {
      classified[index].followsBreak = true
    }
    return classified
  }
}
