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
    /// Whether the change counts for the jump fraction, regardless of the verdicts.
    @usableFromInline var isStep: Bool

    /// Time that the interval covers in ticks; 0 if it spans a gap.
    @usableFromInline var covered: Int64

    /// The entry used if there is no beat.
    @inlinable static var none: Entry {
      Entry(end: .min, rr: 0, change: 0, isNormal: false, isDifference: false, isStep: false, covered: 0)
    }

    @inlinable
    init(
      end: Int64, rr: Int64, change: Int64, isNormal: Bool, isDifference: Bool, isStep: Bool, covered: Int64
    ) {
      (self.end, self.rr, self.change, self.covered) = (end, rr, change, covered)
      (self.isNormal, self.isDifference, self.isStep) = (isNormal, isDifference, isStep)
    }

    @inlinable @inline(__always)
    init(_ beat: Beat, after last: Entry) {
      end = beat.end.ticks
      rr = beat.rr.ticks
      change = rr &- last.rr
      isNormal = beat.verdict.isNormal
      isDifference = !beat.followsBreak && isNormal && last.isNormal
      isStep = !beat.followsBreak && beat.verdict != .gap && last.end != .min
      covered = beat.verdict == .gap ? 0 : rr
    }

    @inlinable var interval: Moments.Term { @inline(__always) get { Moments.Term(rr, if: isNormal) } }
    @inlinable var difference: Moments.Term {
      @inline(__always) get { Moments.Term(change, if: isDifference) }
    }
  }

  /// Number of comparisons between successive intervals, and number of jumps among them.
  struct Steps: Sendable {
    private(set) var compared = 0
    private(set) var jumps = 0

    @inline(__always)
    mutating func count(_ entry: Entry, _ sign: Int) {
      guard entry.isStep else { return }
      compared &+= sign
      // A jump is a change of more than a quarter of the mean of the two intervals.
      let (sum, magnitude) = (
        2 &* entry.rr &- entry.change, Int64(truncatingIfNeeded: entry.change.magnitude)
      )
      jumps &+= sign & DifferenceKinds.isAbove(sum, 8 &* magnitude)
    }
  }
}
