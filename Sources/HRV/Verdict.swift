/// What is thought of one RR interval. Intervals are judged, never repaired: the raw value stays beside it.
///
/// The names are those of Lipponen & Tarvainen (2019), with `gap` for an interval that spans missing data.
public enum Verdict: String, Sendable, CaseIterable {
  /// A normal-to-normal interval (NN).
  case normal
  /// Ended or begun by an ectopic (premature) beat.
  case ectopic
  /// About two intervals in one: a beat was not detected.
  case missed
  /// About half an interval: something was detected that is no beat.
  case extra
  /// Too long to be normal, for no known reason.
  case long
  /// Too short to be normal, for no known reason.
  case short
  /// Longer than 3 s: it spans missing data.
  case gap

  /// Whether metrics are computed from it.
  @inlinable public var isNormal: Bool { self == .normal }
}
