/// The classification of an RR interval. Intervals are classified and never changed.
///
/// The names follow Lipponen & Tarvainen (2019), with `gap` added for an interval that spans missing data.
public enum Verdict: String, Sendable, CaseIterable {
  /// A normal-to-normal interval (NN).
  case normal
  /// Begins or ends with an ectopic (premature) beat.
  case ectopic
  /// About twice the usual length: a beat was not detected.
  case missed
  /// About half the usual length: a false detection between two beats.
  case extra
  /// Too long to be normal, cause unknown.
  case long
  /// Too short to be normal, cause unknown.
  case short
  /// Longer than 3 s: spans missing data.
  case gap

  /// Whether metrics include the interval.
  @inlinable public var isNormal: Bool { self == .normal }
}
