public import HeartRate

/// A heart beat: the RR interval that it ends, when it ended, and what is thought of it.
public struct Beat: Equatable, Sendable {
  /// When the interval ended.
  public var end: SessionTime
  /// The interval as the source gave it.
  public var rr: RRInterval
  /// What it is taken for; only normal beats count.
  public var verdict: Verdict
  /// Whether data are missing before it: no successive difference leads into it.
  public var followsBreak: Bool

  public init(end: SessionTime, rr: RRInterval, verdict: Verdict, followsBreak: Bool) {
    self.end = end
    self.rr = rr
    self.verdict = verdict
    self.followsBreak = followsBreak
  }
}

/// A stretch of time without beats.
public struct Gap: Equatable, Sendable {
  /// Why there are none.
  public enum Cause: String, Sendable, CaseIterable {
    /// The connection to the strap ended.
    case linkLost = "link-lost"
    /// Arrivals outran the sum of the RR intervals: notifications were lost.
    case dataMissing = "data-missing"
    /// An RR interval longer than 3 s.
    case longInterval = "long-interval"
  }

  /// When the last beat before it ended, or the link did.
  public var start: SessionTime
  /// When the first beat after it began.
  public var end: SessionTime
  /// Why there are no beats.
  public var cause: Cause

  public init(start: SessionTime, end: SessionTime, cause: Cause) {
    self.start = start
    self.end = end
    self.cause = cause
  }

  /// Length in seconds.
  public var seconds: Double { Double(end.ticks - start.ticks) / Double(RRInterval.ticksPerSecond) }
}
