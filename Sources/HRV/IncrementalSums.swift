import HeartRate

/// Count, sum and sum of squares of integers in ticks, updated when integers are added or removed. Integer
/// arithmetic is exact, so removed integers leave no rounding error.
///
/// The sum has room for a million intervals of 24 h, many times ``BeatWindow/mostBeats``.
@usableFromInline
struct Moments: Sendable {
  @usableFromInline var count = 0
  @usableFromInline var sum: Int64 = 0
  @usableFromInline var squares: Int128 = 0

  @usableFromInline init() {}

  /// An integer to add or remove, or nothing.
  @usableFromInline
  struct Term {
    @usableFromInline var count: Int
    @usableFromInline var ticks: Int64

    @inlinable @inline(__always)
    init(_ ticks: Int64, if counts: Bool) {
      count = counts ? 1 : 0
      self.ticks = counts ? ticks : 0
    }

    @inlinable static var nothing: Term { @inline(__always) get { Term(0, if: false) } }
  }

  /// Adds one term and removes another in one step, because most beats that enter a window displace one. The
  /// difference of squares is `(x - y)(x + y)`: one product instead of two. Intervals are at most 24 h
  /// (`RRInterval`), so the factors fit into 64 bits.
  @inlinable @inline(__always)
  mutating func slide(in new: Term, out old: Term) {
    let change = new.ticks &- old.ticks
    count &+= new.count &- old.count
    sum &+= change
    squares &+= NNSums.product(change, new.ticks &+ old.ticks)
  }
}

/// Counts of large and of zero successive differences.
@usableFromInline
struct DifferenceKinds: Equatable, Sendable {
  @usableFromInline var over50 = 0
  @usableFromInline var over20 = 0
  @usableFromInline var unchanged = 0

  static let fifty = 50 * RRInterval.ticksPerMillisecond
  static let twenty = 20 * RRInterval.ticksPerMillisecond

  /// Adds (`sign` 1) or removes (`sign` -1) a difference in ticks.
  @inline(__always)
  mutating func count(_ difference: Int64, _ sign: Int) {
    let magnitude = Int64(truncatingIfNeeded: difference.magnitude)
    unchanged &+= sign & Self.isAbove(magnitude, 1)
    over50 &+= sign & Self.isAbove(Self.fifty, magnitude)
    over20 &+= sign & Self.isAbove(Self.twenty, magnitude)
  }

  /// Returns all bits set if `magnitude` is above `limit`, otherwise 0. Uses the sign bit instead of a
  /// branch, because the branch is unpredictable and a misprediction costs more than all the sums.
  @inline(__always)
  static func isAbove(_ limit: Int64, _ magnitude: Int64) -> Int {
    Int(truncatingIfNeeded: (limit &- magnitude) >> 63)
  }
}
