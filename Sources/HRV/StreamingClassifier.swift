public import HeartRate

/// Classifies a series while it is received. Each interval gets a provisional verdict immediately, from past
/// beats, and a final verdict ``ArtefactClassifier/delay`` intervals later, which equals that of batch
/// classification.
///
/// - Complexity: as ``ArtefactClassifier``; no allocation after initialisation.
public struct StreamingClassifier: Sendable {
  private var judge = BeatJudge()
  private var classifier: ArtefactClassifier

  public init(criteria: ArtefactCriteria = .standard) { classifier = ArtefactClassifier(criteria: criteria) }

  /// Returns the provisional verdict on the next interval, which is never revised, and passes the verdicts
  /// that become final to `final`: one for each interval, in order.
  public mutating func update(_ rr: RRInterval, final: (Verdict) throws -> Void) rethrows -> Verdict {
    try classifier.update(rr, final: final)
    return judge.judge(rr)
  }

  /// Marks missing data: the next interval starts a new segment.
  public mutating func breakOff(final: (Verdict) throws -> Void) rethrows {
    judge.forget()
    try classifier.breakOff(final)
  }

  /// Ends the series: emits the pending verdicts.
  public mutating func finish(final: (Verdict) throws -> Void) rethrows { try breakOff(final: final) }
}
