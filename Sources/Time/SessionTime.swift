/// A point in time within a session, in ticks of 1/80,000 ms since the start of the session.
///
/// Live sessions use a clock that is never adjusted and includes suspended time (`CLOCK_BOOTTIME`): an hour of suspend counts
/// as an hour without data.
public struct SessionTime: Hashable, Comparable, Sendable {
  /// Ticks of 1/80,000 ms since the start of the session. Limited to 1e9 s (31 years) in magnitude, because sums and
  /// differences of times must not overflow.
  public let ticks: Int64

  /// The start of the session.
  @inlinable public static var zero: SessionTime { SessionTime(ticks: 0) }

  // Computed, because other modules read a stored constant from memory, and initialise constants that depend on it at run time.

  /// Ticks in 1 ms.
  @inlinable public static var ticksPerMillisecond: Int64 { 80_000 }
  /// Ticks in 1 s.
  @inlinable public static var ticksPerSecond: Int64 { 80_000_000 }

  /// 1e9 s in ticks.
  @inlinable static var maximumTicks: Int64 { 1_000_000_000 * ticksPerSecond }

  /// Creates the time `ticks` after the start of the session; saturates at ±1e9 s (31 years).
  @inlinable
  public init(ticks: Int64) { self.ticks = min(max(ticks, -Self.maximumTicks), Self.maximumTicks) }

  /// Creates the time `nanoseconds` after the start of the session, rounded towards zero to a tick of 12.5
  /// ns.
  @inlinable
  public init(nanoseconds: Int64) { self.init(ticks: nanoseconds / 25 * 2 + nanoseconds % 25 * 2 / 25) }

  /// Creates the time nearest to `seconds`. Fails for negative and non-finite numbers and beyond 1e9 s (31 years).
  public init?(seconds: Double) {
    guard seconds >= 0, seconds <= 1e9 else { return nil }
    ticks = Int64((seconds * Double(Self.ticksPerSecond)).rounded())
  }

  /// Seconds since the start of the session. Below 1e7 s (115 days), ``init(seconds:)`` restores the same
  /// tick.
  @inlinable
  public var seconds: Double { Double(ticks) / Double(Self.ticksPerSecond) }

  @inlinable
  public static func < (a: SessionTime, b: SessionTime) -> Bool { a.ticks < b.ticks }
}

extension Duration {
  /// The duration in ticks of 1/80,000 ms, rounded towards zero; saturates at ±1e9 s (31 years).
  @inlinable
  public var ticks: Int64 {
    let (seconds, attoseconds) = components
    guard seconds.magnitude < 1_000_000_000 else {
      return seconds < 0 ? -SessionTime.maximumTicks : SessionTime.maximumTicks
    }
    return seconds * SessionTime.ticksPerSecond + attoseconds / 12_500_000_000
  }

  /// Creates the duration of `ticks`; exact.
  @inlinable
  public init(ticks: Int64) {
    self.init(
      secondsComponent: ticks / SessionTime.ticksPerSecond,
      attosecondsComponent: ticks % SessionTime.ticksPerSecond * 12_500_000_000)
  }
}
