/// What can make the HRV of a window differ from that of the undisturbed beats of the same time.
///
/// Each quantity is 0 in an undisturbed window, or close to it, and needs only sums over the window.
/// ``Confidence`` and ``StressInterval`` are computed from them; docs/design/confidence.md contains the fits.
public struct WindowQuality: Equatable, Sendable {
  /// Fraction of the beats that are ectopic, or too long or short for an unknown reason, 0 to 1.
  public var abnormalBeats = 0.0
  /// sqrt(1 / n - 1 / N) for n successive differences of N in a window without missing data: the standard
  /// error of ln RMSSD due to the missing ones is proportional to it.
  public var lostData = 0.0
  /// Fraction of the notifications that reported lost contact, 0 to 1.
  public var contactLost = 0.0
  /// Received RR intervals in excess of the elapsed time, as a fraction of it: notifications received twice.
  public var duplicates = 0.0
  /// ``DifferencePattern/tail``.
  public var tail = 0.0
  /// ``DifferencePattern/noise``.
  public var noise = 0.0

  /// An undisturbed window.
  public static let undisturbed = WindowQuality()

  public init() {}

  /// Number of beats by which a complete window may differ from its length divided by the mean NN interval:
  /// its first and its last interval are cut.
  private static let cutBeats = 3.0

  /// The standard error of `found` differences, relative to the number in a window of `length` seconds.
  static func lostData(found: Int, meanNN: Double?, length: Double) -> Double {
    guard found > 0, let meanNN, meanNN > 0 else { return 1 }
    // N in units of 1 / meanNN: one division, and none if no difference is missing.
    let expected = 1000 * length - cutBeats * meanNN
    let missing = expected - Double(found) * meanNN
    return missing > 0 ? (missing / (Double(found) * expected)).squareRoot() : 0
  }

  /// `abnormal` of `beats`.
  static func abnormalBeats(_ abnormal: Int, of beats: Int) -> Double {
    abnormal > 0 ? Double(abnormal) / Double(beats) : 0
  }

  /// The excess of `coverage` above 1; up to 3 % is due to the batches in which a strap sends beats.
  static func duplicates(coverage: Double?) -> Double { max(0, (coverage ?? 1) - 1.03) }
}

extension WindowQuality {
  /// A quantity by name, for storage and JSON.
  public enum Quantity: String, CaseIterable, Sendable {
    case abnormalBeats = "abnormal_beats"
    case lostData = "lost_data"
    case contactLost = "contact_lost"
    case duplicates = "duplicates"
    case tail = "tail"
    case noise = "noise"
  }

  public subscript(quantity: Quantity) -> Double {
    get { self[keyPath: quantity.path] }
    set { self[keyPath: quantity.path] = newValue }
  }
}

extension WindowQuality.Quantity {
  fileprivate var path: WritableKeyPath<WindowQuality, Double> {
    switch self {
    case .abnormalBeats: \.abnormalBeats
    case .lostData: \.lostData
    case .contactLost: \.contactLost
    case .duplicates: \.duplicates
    case .tail: \.tail
    case .noise: \.noise
    }
  }
}
