/// A point in time within a session: ticks of 1/80,000 ms since the session began.
///
/// Taken from the clock that never steps and that counts suspended time too (`CLOCK_BOOTTIME`), so
/// that an hour of suspend is an hour without data, not a moment.
public struct SessionTime: Hashable, Comparable, Sendable {
  /// Ticks of 1/80,000 ms since the session began; at most 1e9 s (31 years) away from it, so that no sum or
  /// difference of times can overflow.
  public let ticks: Int64

  /// When the session began.
  public static let zero = SessionTime(ticks: 0)

  /// 1e9 s in ticks.
  @usableFromInline static let farthest = 1_000_000_000 * RRInterval.ticksPerSecond

  /// The time `ticks` after the session began; saturates at 1e9 s (31 years) before and after.
  @inlinable
  public init(ticks: Int64) { self.ticks = min(max(ticks, -Self.farthest), Self.farthest) }

  /// The time `nanoseconds` after the session began, rounded towards it to a tick of 12.5 ns.
  @inlinable
  public init(nanoseconds: Int64) { self.init(ticks: nanoseconds / 25 * 2 + nanoseconds % 25 * 2 / 25) }

  /// The time nearest to `seconds`; nil when it is negative, not finite, or beyond 1e9 s (31 years).
  public init?(seconds: Double) {
    guard seconds >= 0, seconds <= 1e9 else { return nil }
    ticks = Int64((seconds * Double(RRInterval.ticksPerSecond)).rounded())
  }

  /// Seconds since the session began. Below 1e7 s (115 days) ``init(seconds:)`` gives back the same tick.
  @inlinable
  public var seconds: Double { Double(ticks) / Double(RRInterval.ticksPerSecond) }

  @inlinable
  public static func < (a: SessionTime, b: SessionTime) -> Bool { a.ticks < b.ticks }

  /// The time at which an interval ends that begins at `time`; saturates.
  @inlinable
  public static func + (time: SessionTime, rr: RRInterval) -> SessionTime {
    SessionTime(ticks: time.ticks + rr.ticks)
  }

  /// The time at which an interval began that ends at `time`; saturates.
  @inlinable
  public static func - (time: SessionTime, rr: RRInterval) -> SessionTime {
    SessionTime(ticks: time.ticks - rr.ticks)
  }
}

extension Duration {
  /// The duration in ticks of 1/80,000 ms, rounded towards zero; saturates at 1e9 s (31 years).
  @inlinable
  public var ticks: Int64 {
    let (seconds, attoseconds) = components
    guard seconds.magnitude < 1_000_000_000 else {
      return seconds < 0 ? -SessionTime.farthest : SessionTime.farthest
    }
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
