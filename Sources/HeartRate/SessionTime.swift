/// A point in time within a session: ticks of 1/80,000 ms since the session began.
///
/// Taken from the clock that never steps and that counts suspended time too (`CLOCK_BOOTTIME`), so
/// that an hour of suspend is an hour without data, not a moment.
public struct SessionTime: Hashable, Comparable, Sendable {
  /// Ticks of 1/80,000 ms since the session began.
  public var ticks: Int64

  public static let zero = SessionTime(ticks: 0)

  @inlinable
  public init(ticks: Int64) { self.ticks = ticks }

  /// The time `nanoseconds` after the session began, rounded down to a tick of 12.5 ns.
  @inlinable
  public init(nanoseconds: Int64) { ticks = nanoseconds / 25 * 2 + nanoseconds % 25 * 2 / 25 }

  /// The time nearest to `seconds`; nil when it is negative, not finite, or beyond 1e9 s (31 years),
  /// where sums would no longer be safe from overflow and a `Double` no longer tells ticks apart.
  public init?(seconds: Double) {
    guard seconds >= 0, seconds <= 1e9 else { return nil }
    ticks = Int64((seconds * Double(RRInterval.ticksPerSecond)).rounded())
  }

  /// Seconds since the session began. Below 1e7 s (115 days) ``init(seconds:)`` gives back the same tick.
  @inlinable
  public var seconds: Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }

  @inlinable
  public static func < (a: SessionTime, b: SessionTime) -> Bool { a.ticks < b.ticks }

  @inlinable
  public static func + (time: SessionTime, rr: RRInterval) -> SessionTime {
    SessionTime(ticks: time.ticks + rr.ticks)
  }

  @inlinable
  public static func - (time: SessionTime, rr: RRInterval) -> SessionTime {
    SessionTime(ticks: time.ticks - rr.ticks)
  }
}

extension Duration {
  /// The duration in ticks of 1/80,000 ms, rounded down.
  @inlinable
  public var ticks: Int64 {
    let (seconds, attoseconds) = components
    return seconds * RRInterval.ticksPerSecond + attoseconds / 12_500_000_000
  }

  /// The duration of a whole number of ticks; exact.
  @inlinable
  public init(ticks: Int64) {
    self.init(
      secondsComponent: ticks / RRInterval.ticksPerSecond,
      attosecondsComponent: ticks % RRInterval.ticksPerSecond * 12_500_000_000)
  }
}
