public import HeartRate

/// A heart beat: the RR interval that it ends, the end time and the verdict.
public struct Beat: Equatable, Sendable {
  /// End time of the interval.
  public var end: SessionTime
  /// The interval as received.
  public var rr: RRInterval
  /// Classification of the interval; metrics use normal intervals only.
  public var verdict: Verdict
  /// Whether data are missing before this interval. If so, it contributes no successive difference.
  public var followsBreak: Bool
  /// Whether the interval shows that the one before it, which has the provisional verdict `normal`, ended with a premature
  /// beat (``ProvisionalClassifier/followsPrematureBeat``). Final verdicts include this and leave it false.
  public var followsPrematureBeat: Bool

  public init(
    end: SessionTime, rr: RRInterval, verdict: Verdict, followsBreak: Bool, followsPrematureBeat: Bool = false
  ) {
    self.end = end
    self.rr = rr
    self.verdict = verdict
    self.followsBreak = followsBreak
    self.followsPrematureBeat = followsPrematureBeat
  }
}

/// A period without beats.
public struct Gap: Equatable, Sendable {
  /// Cause of a gap.
  public enum Cause: String, Sendable, CaseIterable {
    /// The connection to the strap ended.
    case linkLost = "link-lost"
    /// The arrival time exceeded the sum of the RR intervals: notifications were lost.
    case dataMissing = "data-missing"
    /// An RR interval longer than 3 s.
    case longInterval = "long-interval"
  }

  /// End of the last beat before the gap, or time of the lost link.
  public var start: SessionTime
  /// Start of the first interval after the gap.
  public var end: SessionTime
  /// Cause of the gap.
  public var cause: Cause

  public init(start: SessionTime, end: SessionTime, cause: Cause) {
    self.start = start
    self.end = end
    self.cause = cause
  }

  /// Length in seconds.
  public var seconds: Double { Double(end.ticks - start.ticks) / Double(RRInterval.ticksPerSecond) }
}

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
