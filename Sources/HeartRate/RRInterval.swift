/// The time between two successive R peaks, exact.
///
/// Held as an integer count of *ticks* of 1/80,000 ms (12.5 ns), the coarsest unit in which both the
/// strap's 1/1024 s (78,125 ticks) and the decimals of text files (0.0001 ms is 8 ticks) are whole
/// numbers. Sums of intervals are therefore exact and never drift.
public struct RRInterval: Hashable, Comparable, Sendable {
  /// Length in ticks of 1/80,000 ms; from 0 to 24 h, so that no sum or square of intervals can overflow.
  public let ticks: Int64

  /// Ticks in 1 ms.
  public static let ticksPerMillisecond: Int64 = 80_000
  /// Ticks in 1 s.
  public static let ticksPerSecond: Int64 = 80_000_000
  /// Ticks in 1/1024 s, the unit of the Heart Rate Measurement characteristic.
  public static let ticksPerGATTUnit: Int64 = 78_125

  /// The longest interval, 24 h in ticks.
  @usableFromInline static let longest = 86_400 * ticksPerSecond

  /// The interval of `ticks`; saturates at 0 and at 24 h.
  @inlinable
  public init(ticks: Int64) { self.ticks = min(max(ticks, 0), Self.longest) }

  /// The interval that a strap sends as `gattUnits` of 1/1024 s; exact.
  @inlinable
  public init(gattUnits: UInt16) { ticks = Int64(gattUnits) * Self.ticksPerGATTUnit }

  /// The interval nearest to `milliseconds`; nil when it is not finite, negative, or 24 h and longer.
  public init?(milliseconds: Double) {
    guard milliseconds >= 0, milliseconds < 86_400_000 else { return nil }
    ticks = Int64((milliseconds * Double(Self.ticksPerMillisecond)).rounded())
  }

  /// Length in ms, rounded to the nearest `Double`; for display and arithmetic that ends in display.
  @inlinable
  public var milliseconds: Double { Double(ticks) / Double(Self.ticksPerMillisecond) }

  /// The nearest count of 1/1024 s, saturating at the field's 65,535 (64 s).
  public var gattUnits: UInt16 {
    let half = Self.ticksPerGATTUnit / 2
    return UInt16(clamping: (ticks + half) / Self.ticksPerGATTUnit)
  }

  @inlinable
  public static func < (a: RRInterval, b: RRInterval) -> Bool { a.ticks < b.ticks }
}

extension RRInterval: CustomStringConvertible {
  public var description: String { "\(milliseconds) ms" }
}
