public import HeartRate
import RealModule

/// Exact sums over normal beats and the successive differences between them.
///
/// The sums are integers in ticks of 1/80,000 ms, which allows values to be removed without rounding error: a window that has
/// slid for days equals a newly computed one, and streaming equals batch, bit for bit.
///
/// The metrics are inlinable. A caller that reads one metric of a window would otherwise copy the other sums: at each beat,
/// that copy cost more than all the sums.
public struct NNSums: Equatable, Sendable {
  /// Number of NN intervals.
  public internal(set) var count = 0
  /// Number of successive differences: between two neighbours that are both normal, without missing data in
  /// between.
  public internal(set) var differences = 0
  @usableFromInline var kinds = DifferenceKinds()
  @usableFromInline var sum: Int128 = 0
  @usableFromInline var squares: Int128 = 0
  /// Between two breaks the differences add up to the last interval minus the first, so 64 bits are
  /// sufficient.
  @usableFromInline var differenceSum: Int64 = 0
  @usableFromInline var differenceSquares: Int128 = 0

  public init() {}

  /// Replaces the sums by those of a window.
  @inline(__always)
  mutating func set(_ intervals: Moments, _ differences: Moments, _ kinds: DifferenceKinds) {
    (count, sum, squares) = (intervals.count, Int128(intervals.sum), intervals.squares)
    (self.differences, differenceSum, differenceSquares) = (
      differences.count, differences.sum, differences.squares
    )
    self.kinds = kinds
  }

  // Without overflow checks: intervals are at most 24 h (`RRInterval`), and no memory can hold enough of them
  // to overflow.

  @inline(__always)
  mutating func add(_ nn: Int64) {
    count &+= 1
    sum &+= Int128(nn)
    squares &+= Self.product(nn, nn)
  }

  @inline(__always)
  mutating func add(difference: Int64) {
    differences &+= 1
    differenceSum &+= difference
    differenceSquares &+= Self.product(difference, difference)
    kinds.count(difference, 1)
  }
}

extension NNSums {
  /// Sum of all NN intervals in ticks of 1/80,000 ms; wraps around after a million days.
  @inlinable public var totalTicks: Int64 { Int64(truncatingIfNeeded: sum) }

  /// Mean NN interval in ms. Requires a beat.
  @inlinable @inline(__always) public var meanNN: Double? {
    count > 0 ? Self.double(sum) / Double(count) / Double(RRInterval.ticksPerMillisecond) : nil
  }

  /// Mean heart rate in bpm: 60,000 / mean NN (not the mean of the momentary rates). Requires a beat, and a mean NN above zero.
  @inlinable public var meanHeartRate: Double? { meanNN.flatMap { $0 > 0 ? 60_000 / $0 : nil } }

  /// SDNN in ms: standard deviation of NN intervals over n - 1 (Task Force 1996). Requires two beats.
  @inlinable @inline(__always) public var sdnn: Double? { Self.deviation(count, sum, squares) }

  /// RMSSD in ms: root mean square of successive differences (Task Force 1996). Requires one difference.
  @inlinable @inline(__always) public var rmssd: Double? {
    Self.rootMeanSquare(differences, differenceSquares)
  }

  /// Fraction of successive differences that are zero, 0 to 1. Requires one difference.
  @inlinable @inline(__always) public var unchangedFraction: Double? {
    guard differences > 0 else { return nil }
    return kinds.unchanged > 0 ? Double(kinds.unchanged) / Double(differences) : 0
  }

  /// Natural logarithm of RMSSD in ms. Undefined if RMSSD is missing or zero.
  public var lnRMSSD: Double? { rmssd.flatMap { $0 > 0 ? Double.log($0) : nil } }

  /// SDSD in ms: standard deviation of successive differences over n - 1. Requires two differences.
  @inlinable public var sdsd: Double? {
    Self.deviation(differences, Int128(differenceSum), differenceSquares)
  }

  /// pNN50: percentage of successive differences of more than 50 ms (strictly), if there are any differences.
  @inlinable public var pNN50: Double? { percent(kinds.over50) }

  /// pNN20: percentage of successive differences of more than 20 ms (strictly), if there are any differences.
  @inlinable public var pNN20: Double? { percent(kinds.over20) }

  /// SD1 in ms: width of the Poincare plot, SDSD / sqrt 2 (Brennan et al. 2001).
  @inlinable public var sd1: Double? { sdsd.map { $0 / 2.0.squareRoot() } }

  /// SD2 in ms: length of the Poincare plot, sqrt(2 SDNN^2 - SDSD^2 / 2) (Brennan et al. 2001). Undefined if the radicand is
  /// negative.
  public var sd2: Double? {
    guard let sdnn, let sdsd else { return nil }
    let square = 2 * sdnn * sdnn - sdsd * sdsd / 2
    return square >= 0 ? square.squareRoot() : nil
  }

  @inlinable func percent(_ part: Int) -> Double? {
    differences > 0 ? 100 * Double(part) / Double(differences) : nil
  }
}

// MARK: Conversion from integers in ticks to numbers in ms

extension NNSums {
  /// Square ticks per square ms.
  @inlinable static var squaredTicks: Double { 6.4e9 }

  /// Root mean square, in ms, of n numbers whose squares in ticks add up to `squares`.
  @inlinable @inline(__always)
  static func rootMeanSquare(_ n: Int, _ squares: Int128) -> Double? {
    n > 0 ? (double(squares) / (Double(n) * squaredTicks)).squareRoot() : nil
  }

  /// Standard deviation over n - 1, in ms, of n numbers with these sums in ticks.
  @inlinable @inline(__always)
  static func deviation(_ n: Int, _ sum: Int128, _ squares: Int128) -> Double? {
    guard n > 1 else { return nil }
    return (spread(n, sum, squares) / (Double(n) * Double(n - 1) * squaredTicks)).squareRoot()
  }

  /// n * squares - sum * sum, exact before the conversion to `Double`.
  @inlinable @inline(__always)
  static func spread(_ n: Int, _ sum: Int128, _ squares: Int128) -> Double {
    let (narrowSum, narrowSquares) = (Int64(truncatingIfNeeded: sum), Int64(truncatingIfNeeded: squares))
    guard Int128(narrowSum) == sum, Int128(narrowSquares) == squares else {
      return wideSpread(n, sum, squares)
    }
    return double(product(Int64(n), narrowSquares) &- product(narrowSum, narrowSum))
  }

  /// The same for sums that are too large for 64 bits. Uses floating-point arithmetic if the products exceed
  /// 128 bits (millions of intervals of hours).
  @usableFromInline
  static func wideSpread(_ n: Int, _ sum: Int128, _ squares: Int128) -> Double {
    let (scaled, tooLarge) = squares.multipliedReportingOverflow(by: Int128(n))
    let (squaredSum, tooLargeSum) = sum.multipliedReportingOverflow(by: sum)
    guard !tooLarge, !tooLargeSum else {
      let total = double(sum)
      return max(0, double(squares) - total * (total / Double(n))) * Double(n)
    }
    return double(scaled - squaredSum)
  }

  @inlinable @inline(__always)
  static func product(_ a: Int64, _ b: Int64) -> Int128 {
    let product = a.multipliedFullWidth(by: b)
    return Int128(product.high) << 64 | Int128(product.low)
  }

  /// Converts to the nearest `Double`, within one unit in the last place beyond 64 bits. Takes 1 ns; the
  /// generic conversion of the standard library takes about 300 ns.
  @inlinable @inline(__always)
  static func double(_ value: Int128) -> Double {
    let narrow = Int64(truncatingIfNeeded: value)
    return Int128(narrow) == value ? Double(narrow) : wideDouble(value)
  }

  @usableFromInline
  static func wideDouble(_ value: Int128) -> Double {
    let magnitude = value.magnitude
    let high = Double(UInt64(truncatingIfNeeded: magnitude >> 64))
    let sum = high * 0x1p64 + Double(UInt64(truncatingIfNeeded: magnitude))
    return value < 0 ? -sum : sum
  }
}

extension NNSums {
  /// Creates the sums over intervals in ticks, without their successive differences.
  init(_ lengths: ArraySlice<Int32>) {
    self.init()
    for length in lengths { add(Int64(length)) }
  }

  /// Creates the sums over all NN intervals, with the successive differences within each run.
  init(_ segments: NNSegments) {
    self.init(segments.lengths[...])
    for run in segments.runs {
      for index in run.dropFirst() {
        add(difference: Int64(segments.lengths[index]) - Int64(segments.lengths[index - 1]))
      }
    }
  }
}

/// Batch addition of normal intervals without missing data in between. The result equals that of adding them
/// one by one and takes a third of the instructions.
extension NNSums {
  /// Number of intervals per block: the sum of the squares of as many intervals below `short` fits into 64
  /// bits.
  private static let block = 64
  /// 3.3 s in ticks; blocks with longer intervals are added one by one.
  private static let short: Int64 = 1 << 28

  /// Adds `intervals`; `previous` is the interval before the first one, in ticks.
  mutating func add(_ intervals: ArraySlice<RRInterval>, after previous: Int64) {
    unsafe intervals.withUnsafeBufferPointer { all in
      var (start, previous) = (0, previous)
      while start < all.count {
        let end = min(start &+ Self.block, all.count)
        let block = unsafe UnsafeBufferPointer(rebasing: all[start..<end])
        if unsafe !addShort(block, after: previous) { unsafe addAny(block, after: previous) }
        previous = unsafe block[block.count &- 1].ticks
        start = end
      }
    }
  }

  private mutating func addAny(_ block: UnsafeBufferPointer<RRInterval>, after previous: Int64) {
    var previous = previous
    for index in block.indices {
      let interval = unsafe block[index]
      add(interval.ticks)
      add(difference: interval.ticks &- previous)
      previous = interval.ticks
    }
  }

  /// Adds a block of short intervals. Returns false and adds nothing if one of them is not short.
  private mutating func addShort(_ block: UnsafeBufferPointer<RRInterval>, after first: Int64) -> Bool {
    var (previous, bits) = (first, first)
    var (sum, squares, differenceSquares): (Int64, Int64, Int64) = (0, 0, 0)
    var (changed, over50, over20): (Int, Int, Int) = (0, 0, 0)
    for index in block.indices {
      let ticks = unsafe block[index].ticks
      let difference = ticks &- previous
      let magnitude = Int64(truncatingIfNeeded: difference.magnitude)
      bits |= ticks
      sum &+= ticks
      squares &+= ticks &* ticks
      differenceSquares &+= difference &* difference
      changed &-= DifferenceKinds.isAbove(0, magnitude)
      over50 &-= DifferenceKinds.isAbove(DifferenceKinds.fifty, magnitude)
      over20 &-= DifferenceKinds.isAbove(DifferenceKinds.twenty, magnitude)
      previous = ticks
    }
    guard bits < Self.short else { return false }
    count &+= block.count
    self.sum &+= Int128(sum)
    self.squares &+= Int128(squares)
    differences &+= block.count
    differenceSum &+= previous &- first
    self.differenceSquares &+= Int128(differenceSquares)
    kinds.unchanged &+= block.count &- changed
    kinds.over50 &+= over50
    kinds.over20 &+= over20
    return true
  }
}
