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
    var classified = beats
    classify(&classified, criteria: criteria)
    return classified
  }

  /// Returns the beats of successive intervals, which begin at `start`, with their final verdicts. Only an interval longer than 3 s
  /// indicates missing data.
  ///
  ///     let beats = ArtefactClassifier.classify(intervals)
  ///     print(NNSeries(beats).sums.rmssd ?? .nan)  // RMSSD of the normal intervals in ms
  public static func classify(
    _ intervals: [RRInterval], from start: SessionTime = .zero, criteria: ArtefactCriteria = .standard
  ) -> [Beat] {
    var end = start
    var beats = intervals.map { rr in
      end = end + rr
      return Beat(end: end, rr: rr, verdict: .normal, followsBreak: false)
    }
    classify(&beats, criteria: criteria)
    return beats
  }

  /// Sets the final verdicts of beats without copying them.
  public static func classify(_ beats: inout [Beat], criteria: ArtefactCriteria = .standard) {
    var classifier = ArtefactClassifier(criteria: criteria)
    var next = 0
    func settle(_ verdict: Verdict) {
      beats[next].verdict = verdict
      next += 1
    }
    // By index: a loop over the beats would retain the array, and the first verdict would copy it.
    for index in beats.indices {
      let beat = beats[index]
      if beat.followsBreak { classifier.interrupt(settle) }
      classifier.update(beat.rr, final: settle)
    }
    classifier.finish(settle)
    for index in beats.indices.dropFirst() where beats[index - 1].verdict == .gap {
      beats[index].followsBreak = true
    }
  }

  /// Returns the beats with the verdicts of the algorithm as published (``ArtefactCriteria/published``). The series is split
  /// at breaks only; existing verdicts are ignored.
  ///
  /// The publication does not define the first difference. As in NeuroKit2, each segment begins with its mean interval,
  /// so the verdicts equal those of a single pass of its `signal_fixpeaks`.
  public static func classifyAsPublished(_ beats: [Beat]) -> [Beat] {
    var classified = beats
    var start = 0
    while start < beats.count {
      let end = beats[(start + 1)...].firstIndex(where: \.followsBreak) ?? beats.count
      let intervals = beats[start..<end].map(\.rr)
      let mean = intervals.reduce(0) { $0 + $1.ticks } / Int64(intervals.count)
      let verdicts = verdicts(on: [RRInterval(ticks: mean)] + intervals, criteria: .published)
      for (place, verdict) in zip(start..<end, verdicts.dropFirst()) { classified[place].verdict = verdict }
      start = end
    }
    return classified
  }
}

/// Classifies a series while it is received. Each interval gets a provisional verdict immediately, from past
/// beats, and a final verdict ``ArtefactClassifier/delay`` intervals later, which equals that of batch
/// classification.
///
/// - Complexity: as ``ArtefactClassifier``; no allocation after initialisation.
public struct StreamingClassifier: Sendable {
  private var provisional = ProvisionalClassifier()
  private var classifier: ArtefactClassifier

  public init(criteria: ArtefactCriteria = .standard) { classifier = ArtefactClassifier(criteria: criteria) }

  /// Returns the provisional verdict on the next interval, which is never revised, and passes the verdicts
  /// that become final to `final`: one for each interval, in order.
  public mutating func update(_ rr: RRInterval, final: (Verdict) throws -> Void) rethrows -> Verdict {
    try classifier.update(rr, final: final)
    return provisional.classify(rr)
  }

  /// Marks missing data: the next interval starts a new segment.
  public mutating func interrupt(final: (Verdict) throws -> Void) rethrows {
    provisional.reset()
    try classifier.interrupt(final)
  }

  /// Ends the series: emits the pending verdicts.
  public mutating func finish(final: (Verdict) throws -> Void) rethrows { try interrupt(final: final) }
}
