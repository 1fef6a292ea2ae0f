@_exported public import Time

/// The time between two successive R peaks, exact.
///
/// The length is an integer count of *ticks* of 1/80,000 ms (12.5 ns), the largest unit of which both the
/// strap's 1/1024 s (78,125 ticks) and the decimals of text files (0.0001 ms is 8 ticks) are integer
/// multiples. Sums of intervals are therefore exact.
public struct RRInterval: Hashable, Comparable, Sendable {
  /// Length in ticks of 1/80,000 ms, from 0 to 24 h. Sums and squares of intervals in this range cannot overflow.
  public let ticks: Int64

  /// Ticks in 1 ms.
  @inlinable public static var ticksPerMillisecond: Int64 { SessionTime.ticksPerMillisecond }
  /// Ticks in 1 s.
  @inlinable public static var ticksPerSecond: Int64 { SessionTime.ticksPerSecond }
  /// Ticks in 1/1024 s, the unit of the Heart Rate Measurement characteristic.
  @inlinable public static var ticksPerGATTUnit: Int64 { 78_125 }

  /// Longest interval: 24 h in ticks.
  @inlinable static var longest: Int64 { 86_400 * ticksPerSecond }

  /// Creates an interval of `ticks`; saturates at 0 and at 24 h.
  @inlinable
  public init(ticks: Int64) { self.ticks = min(max(ticks, 0), Self.longest) }

  /// Creates an interval of `gattUnits` times 1/1024 s; exact.
  @inlinable
  public init(gattUnits: UInt16) { ticks = Int64(gattUnits) * Self.ticksPerGATTUnit }

  /// Creates the interval nearest to `milliseconds`. Fails for non-finite and negative numbers, and from 24 h.
  public init?(milliseconds: Double) {
    guard milliseconds >= 0, milliseconds < 86_400_000 else { return nil }
    ticks = Int64((milliseconds * Double(Self.ticksPerMillisecond)).rounded())
  }

  /// Length in ms, rounded to the nearest `Double`; for display and for arithmetic whose result is displayed.
  @inlinable
  public var milliseconds: Double { Double(ticks) / Double(Self.ticksPerMillisecond) }

  /// Length in units of 1/1024 s, rounded; saturates at the field's maximum of 65,535 (64 s).
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

extension SessionTime {
  /// Returns the end of an interval that begins at `time`; saturates.
  @inlinable
  public static func + (time: SessionTime, rr: RRInterval) -> SessionTime {
    SessionTime(ticks: time.ticks + rr.ticks)
  }

  /// Returns the start of an interval that ends at `time`; saturates.
  @inlinable
  public static func - (time: SessionTime, rr: RRInterval) -> SessionTime {
    SessionTime(ticks: time.ticks - rr.ticks)
  }
}
