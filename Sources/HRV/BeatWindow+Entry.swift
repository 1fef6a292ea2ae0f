public import HeartRate

extension BeatWindow {
  /// A beat, and what of it goes into the sums.
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var end: Int64
    @usableFromInline var rr: Int64
    /// The interval less the one before it.
    @usableFromInline var change: Int64
    @usableFromInline var isNormal: Bool
    /// Whether the change is a successive difference: between two normal beats, with no data missing between.
    @usableFromInline var isDifference: Bool
    /// Whether the change tells of the rhythm, whatever the verdicts.
    @usableFromInline var isStep: Bool

    /// The time that the interval covers: 0 if it spans a gap.
    @usableFromInline var covered: Int64

    /// Stands where there is no beat.
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

  /// How many intervals were compared with the one before, and how many of those jump from it.
  struct Steps: Sendable {
    private(set) var compared = 0
    private(set) var jumps = 0

    @inline(__always)
    mutating func count(_ entry: Entry, _ sign: Int) {
      guard entry.isStep else { return }
      compared &+= sign
      // More than a quarter of the mean of the two.
      let (sum, magnitude) = (
        2 &* entry.rr &- entry.change, Int64(truncatingIfNeeded: entry.change.magnitude)
      )
      jumps &+= sign & DifferenceKinds.isAbove(sum, 8 &* magnitude)
    }
  }
}
