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
