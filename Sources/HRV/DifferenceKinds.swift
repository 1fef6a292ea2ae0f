import HeartRate

/// How many successive differences are large, and how many are nothing at all.
@usableFromInline
struct DifferenceKinds: Equatable, Sendable {
  @usableFromInline var over50 = 0
  @usableFromInline var over20 = 0
  @usableFromInline var unchanged = 0

  static let fifty = 50 * RRInterval.ticksPerMillisecond
  static let twenty = 20 * RRInterval.ticksPerMillisecond

  /// Counts `difference` `sign` times: once more, or once less.
  @inline(__always)
  mutating func count(_ difference: Int64, _ sign: Int) {
    let magnitude = Int64(truncatingIfNeeded: difference.magnitude)
    unchanged &+= sign & Self.isAbove(magnitude, 1)
    over50 &+= sign & Self.isAbove(Self.fifty, magnitude)
    over20 &+= sign & Self.isAbove(Self.twenty, magnitude)
  }

  /// All bits set if `magnitude` is above `limit`, else none. The sign bit instead of a branch: which way that would
  /// go is as irregular as the heart, and a wrong guess costs the processor more than all the sums.
  @inline(__always)
  static func isAbove(_ limit: Int64, _ magnitude: Int64) -> Int {
    Int(truncatingIfNeeded: (limit &- magnitude) >> 63)
  }
}
