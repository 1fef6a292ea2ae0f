/// What kind of RR intervals a sensor sends, as ``SensorClassifier`` finds it.
public enum SensorClass: String, Sendable, CaseIterable {
  /// Each interval is measured from one beat to the next.
  case beatToBeat = "beat-to-beat"
  /// Intervals are averaged, repeated or made from the heart rate: their variability is not the heart's.
  case smoothed
  /// Heart rate alone.
  case noRR = "no-rr"

  /// In a word or two: `beat-to-beat RR`.
  public var name: String {
    switch self {
    case .beatToBeat: "beat-to-beat RR"
    case .smoothed: "smoothed RR"
    case .noRR: "no RR"
    }
  }

  /// What was found, as a sentence.
  public var finding: String { warning ?? "This sensor sends RR intervals from beat to beat." }

  /// What that means for the person, where something is missing.
  public var warning: String? {
    switch self {
    case .beatToBeat: nil
    case .smoothed:
      "This sensor averages or repeats RR intervals: HRV and stress cannot be computed from it."
    case .noRR: "This sensor sends heart rate but no RR intervals: HRV and stress cannot be computed from it."
    }
  }
}
