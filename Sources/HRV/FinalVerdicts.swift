public import HeartRate

extension ArtefactClassifier {
  /// The final verdicts on a whole series, in which data are missing only where an interval exceeds 3 s.
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

  /// The same beats with their final verdicts. They are split where one follows a break, and around those of more
  /// than 3 s; what was thought of them before does not matter.
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
