/// The type of RR intervals that a sensor sends, as detected by ``SensorClassifier``.
public enum SensorClass: String, Sendable, CaseIterable {
  /// Each interval is measured between two successive beats.
  case beatToBeat = "beat-to-beat"
  /// Intervals are averaged, repeated or derived from the heart rate, so that HRV cannot be computed.
  case smoothed
  /// Heart rate without RR intervals.
  case noRR = "no-rr"

  /// Short display name, such as `beat-to-beat RR`.
  public var name: String {
    switch self {
    case .beatToBeat: "beat-to-beat RR"
    case .smoothed: "smoothed RR"
    case .noRR: "no RR"
    }
  }

  /// The result of the classification as a sentence.
  public var finding: String { warning ?? "This sensor sends RR intervals from beat to beat." }

  /// The consequence for the user; nil if there is none.
  public var warning: String? {
    switch self {
    case .beatToBeat: nil
    case .smoothed:
      "This sensor averages or repeats RR intervals: HRV and stress cannot be computed from it."
    case .noRR: "This sensor sends heart rate but no RR intervals: HRV and stress cannot be computed from it."
    }
  }
}
