public import HeartRate

/// Both verdicts on a series that is still coming in: the provisional one at once, from past beats alone, and the
/// final one ``ArtefactClassifier/delay`` intervals later, which equals that of the whole recording.
///
/// - Complexity: as ``ArtefactClassifier``; allocates nothing once made.
public struct StreamingClassifier: Sendable {
  private var judge = BeatJudge()
  private var classifier: ArtefactClassifier

  public init(criteria: ArtefactCriteria = .standard) { classifier = ArtefactClassifier(criteria: criteria) }

  /// Returns the provisional verdict on the next interval, which is never taken back, and hands to `final` those
  /// that are now settled: one for each interval that went in, in the same order.
  public mutating func update(_ rr: RRInterval, final: (Verdict) throws -> Void) rethrows -> Verdict {
    try classifier.update(rr, final: final)
    return judge.judge(rr)
  }

  /// Data are missing here: what comes next stands alone.
  public mutating func breakOff(final: (Verdict) throws -> Void) rethrows {
    judge.forget()
    try classifier.breakOff(final)
  }

  /// The series ends: hands out the verdicts that are outstanding.
  public mutating func finish(final: (Verdict) throws -> Void) rethrows { try breakOff(final: final) }
}
