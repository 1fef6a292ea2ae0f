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
    /// Whether the change is a comparison of the jump fraction: no data are missing in between.
    @usableFromInline var isStep: Bool
    /// Whether it can be a jump: the sensor neither missed nor invented one of the beats.
    @usableFromInline var isRhythm: Bool
    /// The verdict on the beat.
    @usableFromInline var kind: Kind

    /// Time that the interval covers in ticks; 0 if it spans a gap.
    @usableFromInline var covered: Int64

    /// The entry used if there is no beat.
    @inlinable static var none: Entry {
      Entry(
        end: .min, rr: 0, change: 0, isNormal: false, isDifference: false, isStep: false, isRhythm: false,
        kind: .normal,
        covered: 0)
    }

    @inlinable
    init(
      end: Int64, rr: Int64, change: Int64, isNormal: Bool, isDifference: Bool, isStep: Bool, isRhythm: Bool,
      kind: Kind,
      covered: Int64
    ) {
      (self.end, self.rr, self.change, self.covered) = (end, rr, change, covered)
      (self.isNormal, self.isDifference) = (isNormal, isDifference)
      (self.isStep, self.isRhythm, self.kind) = (isStep, isRhythm, kind)
    }

    @inlinable @inline(__always)
    init(_ beat: Beat, after last: Entry) {
      end = beat.end.ticks
      rr = beat.rr.ticks
      change = rr &- last.rr
      isNormal = beat.verdict.isNormal
      isDifference = !beat.followsBreak && isNormal && last.isNormal
      isStep = !beat.followsBreak && beat.verdict != .gap && last.end != .min
      kind = Kind(beat.verdict)
      isRhythm = isStep && kind != .misdetection && last.kind != .misdetection
      covered = beat.verdict == .gap ? 0 : rr
    }

    /// Whether the interval is the compensatory pause after a premature beat whose own interval, `early`, was
    /// classified as normal: a live verdict on a premature beat is often available only with the pause.
    ///
    /// `early` is then at most 92 % of the interval before it, and the pause is longer than that interval.
    @inlinable @inline(__always)
    func isPause(after early: Entry) -> Bool {
      guard kind == .ectopic, isStep, early.isDifference else { return false }
      let usual = early.rr &- early.change
      return rr > usual && 25 &* early.rr < 23 &* usual
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

  /// Verdicts, as far as the sums distinguish them.
  @usableFromInline
  enum Kind: UInt8, Sendable {
    /// Normal, or a gap.
    case normal
    case ectopic
    /// Too short or too long, cause unknown.
    case outlier
    /// The sensor missed a beat, or detected one that did not occur.
    case misdetection

    @inlinable @inline(__always)
    init(_ verdict: Verdict) {
      switch verdict {
      case .normal, .gap: self = .normal
      case .ectopic: self = .ectopic
      case .long, .short: self = .outlier
      case .missed, .extra: self = .misdetection
      }
    }

    /// Whether the heart, or an unknown cause, made the interval abnormal.
    @inlinable var isAbnormal: Bool { self == .ectopic || self == .outlier }
  }

  /// Number of comparisons between successive intervals, and number of jumps among them.
  struct Steps: Sendable {
    private(set) var compared = 0
    private(set) var jumps = 0

    @inline(__always)
    mutating func count(_ entry: Entry, _ sign: Int) {
      guard entry.isStep else { return }
      compared &+= sign
      guard entry.isRhythm else { return }
      // A jump is a change of more than a quarter of the mean of the two intervals.
      let (sum, magnitude) = (
        2 &* entry.rr &- entry.change, Int64(truncatingIfNeeded: entry.change.magnitude)
      )
      jumps &+= sign & DifferenceKinds.isAbove(sum, 8 &* magnitude)
    }
  }
}
