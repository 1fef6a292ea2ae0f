import HeartRate
import RealModule

/// Exact sums over normal beats and the successive differences between them.
///
/// Integers in ticks of 1/80,000 ms: what is added can be taken away again without a trace, so a window that
/// slid for days equals one computed afresh, and streaming equals batch, to the bit.
public struct NNSums: Equatable, Sendable {
  /// Number of NN intervals.
  public private(set) var count = 0
  /// Number of successive differences: between neighbours that are both normal, with no data missing between.
  public private(set) var differences = 0
  private var over50 = 0
  private var over20 = 0
  private var unchanged = 0
  private var sum: Int128 = 0
  private var squares: Int128 = 0
  private var differenceSum: Int128 = 0
  private var differenceSquares: Int128 = 0

  private static let fifty = 50 * RRInterval.ticksPerMillisecond
  private static let twenty = 20 * RRInterval.ticksPerMillisecond

  public init() {}

  @inline(__always)
  mutating func count(_ rr: Int64, _ sign: Int) {
    count += sign
    sum += Int128(sign) * Int128(rr)
    squares += Int128(sign) * Self.square(rr)
  }

  @inline(__always)
  mutating func countDifference(_ difference: Int64, _ sign: Int) {
    differences += sign
    differenceSum += Int128(sign) * Int128(difference)
    differenceSquares += Int128(sign) * Self.square(difference)
    if difference == 0 { unchanged += sign }
    let magnitude = Int64(truncatingIfNeeded: difference.magnitude)
    over50 &+= sign & Self.isAbove(Self.fifty, magnitude)
    over20 &+= sign & Self.isAbove(Self.twenty, magnitude)
  }

  /// All bits set if `magnitude` is above `limit`, else none. The sign bit instead of a branch: which way that would
  /// go is as irregular as the heart, and a wrong guess costs the processor more than all the sums.
  @inline(__always)
  private static func isAbove(_ limit: Int64, _ magnitude: Int64) -> Int {
    Int(truncatingIfNeeded: (limit &- magnitude) >> 63)
  }

  @inline(__always)
  private static func square(_ value: Int64) -> Int128 {
    let product = value.multipliedFullWidth(by: value)
    return Int128(product.high) << 64 | Int128(product.low)
  }
}

extension NNSums {
  /// Mean NN interval in ms. Absent without beats.
  public var meanNN: Double? { count > 0 ? Self.milliseconds(Self.double(sum) / Double(count)) : nil }

  /// Mean heart rate in bpm, 60,000 / mean NN (not the mean of the momentary rates). Absent without beats, and
  /// where the mean NN is zero.
  public var meanHeartRate: Double? { meanNN.flatMap { $0 > 0 ? 60_000 / $0 : nil } }

  /// SDNN in ms: standard deviation of NN intervals over n - 1 (Task Force 1996). Absent below two beats.
  public var sdnn: Double? { variance(count, sum, squares).map { Self.milliseconds($0.squareRoot()) } }

  /// RMSSD in ms: root mean square of successive differences (Task Force 1996). Absent without a difference.
  public var rmssd: Double? {
    differences > 0
      ? Self.milliseconds((Self.double(differenceSquares) / Double(differences)).squareRoot()) : nil
  }

  /// Share of successive differences of nothing at all, 0 to 1. Absent without a difference.
  public var unchangedShare: Double? {
    differences > 0 ? Double(unchanged) / Double(differences) : nil
  }

  /// Natural logarithm of RMSSD in ms. Absent without a difference, and where RMSSD is zero.
  public var lnRMSSD: Double? { rmssd.flatMap { $0 > 0 ? Double.log($0) : nil } }

  /// SDSD in ms: standard deviation of successive differences over n - 1. Absent below two differences.
  public var sdsd: Double? {
    variance(differences, differenceSum, differenceSquares).map { Self.milliseconds($0.squareRoot()) }
  }

  /// Share of successive differences of more than 50 ms (strictly), in percent of all differences.
  public var pNN50: Double? { percent(over50) }

  /// Share of successive differences of more than 20 ms (strictly), in percent of all differences.
  public var pNN20: Double? { percent(over20) }

  /// SD1 in ms: width of the Poincare plot, SDSD / sqrt 2 (Brennan et al. 2001).
  public var sd1: Double? { sdsd.map { $0 / 2.0.squareRoot() } }

  /// SD2 in ms: length of the Poincare plot, sqrt(2 SDNN^2 - SDSD^2 / 2) (Brennan et al. 2001). Absent where the
  /// differences outweigh the spread, so that the root does not exist.
  public var sd2: Double? {
    guard let sdnn, let sdsd else { return nil }
    let square = 2 * sdnn * sdnn - sdsd * sdsd / 2
    return square >= 0 ? square.squareRoot() : nil
  }

  private func percent(_ part: Int) -> Double? {
    differences > 0 ? 100 * Double(part) / Double(differences) : nil
  }

  /// Over n - 1, from exact integers: only the last division rounds. Sums too large to square exactly (hours in
  /// one interval, millions of times) are computed in floating point.
  private func variance(_ n: Int, _ sum: Int128, _ squares: Int128) -> Double? {
    guard n > 1 else { return nil }
    let (scaled, tooLarge) = squares.multipliedReportingOverflow(by: Int128(n))
    let (squaredSum, tooLargeSum) = sum.multipliedReportingOverflow(by: sum)
    if tooLarge || tooLargeSum {
      let total = Self.double(sum)
      return max(0, Self.double(squares) - total * (total / Double(n))) / Double(n - 1)
    }
    return Self.double(scaled - squaredSum) / Double(n) / Double(n - 1)
  }

  /// The standard library's generic conversion takes some 300 ns; this one takes one, and is off by at most a
  /// unit in the last place beyond 64 bits.
  @inline(__always)
  private static func double(_ value: Int128) -> Double {
    let narrow = Int64(truncatingIfNeeded: value)
    return Int128(narrow) == value ? Double(narrow) : wideDouble(value)
  }

  private static func wideDouble(_ value: Int128) -> Double {
    let magnitude = value.magnitude
    let high = Double(UInt64(truncatingIfNeeded: magnitude >> 64))
    let sum = high * 0x1p64 + Double(UInt64(truncatingIfNeeded: magnitude))
    return value < 0 ? -sum : sum
  }

  private static func milliseconds(_ ticks: Double) -> Double {
    ticks / Double(RRInterval.ticksPerMillisecond)
  }
}
