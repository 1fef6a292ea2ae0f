import HeartRate

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
