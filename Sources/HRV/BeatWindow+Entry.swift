public import HeartRate

extension BeatWindow {
  /// A beat and its contributions to the sums.
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var end: Int64
    @usableFromInline var rr: Int64
    /// Difference from the previous interval in ticks.
    @usableFromInline var change: Int64
    @usableFromInline var isNormal: Bool
    /// Whether the change is a successive difference: between two normal beats, without missing data in
    /// between.
    @usableFromInline var isDifference: Bool
    /// Whether the verdict on the beat is ectopic, long or short: the heart, or an unknown cause, made the interval abnormal.
    @usableFromInline var isAbnormal: Bool

    /// Time that the interval covers in ticks; 0 if it spans a gap.
    @usableFromInline var covered: Int64

    /// The entry used if there is no beat.
    @inlinable static var none: Entry {
      Entry(end: .min, rr: 0, change: 0, isNormal: false, isDifference: false, isAbnormal: false, covered: 0)
    }

    @inlinable
    init(
      end: Int64, rr: Int64, change: Int64, isNormal: Bool, isDifference: Bool, isAbnormal: Bool,
      covered: Int64
    ) {
      (self.end, self.rr, self.change, self.covered) = (end, rr, change, covered)
      (self.isNormal, self.isDifference, self.isAbnormal) = (isNormal, isDifference, isAbnormal)
    }

    @inlinable @inline(__always)
    init(_ beat: Beat, after last: Entry) {
      end = beat.end.ticks
      rr = beat.rr.ticks
      change = rr &- last.rr
      isNormal = beat.verdict.isNormal
      isDifference = !beat.followsBreak && isNormal && last.isNormal
      isAbnormal = beat.verdict == .ectopic || beat.verdict == .long || beat.verdict == .short
      covered = beat.verdict == .gap ? 0 : rr
    }

    @inlinable var interval: Moments.Term { @inline(__always) get { Moments.Term(rr, if: isNormal) } }
    @inlinable var difference: Moments.Term {
      @inline(__always) get { Moments.Term(change, if: isDifference) }
    }
    /// Absolute value of the change in ticks.
    @inlinable var magnitude: Int64 {
      @inline(__always) get { Int64(truncatingIfNeeded: change.magnitude) }
    }
  }
}
