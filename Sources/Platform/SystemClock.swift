import Glibc
package import Time

/// The clocks that session events are timed with.
package enum SystemClock {
  /// The time of day (`CLOCK_REALTIME`), which may step.
  package static var wall: WallTime { WallTime(microseconds: read(CLOCK_REALTIME) / 1000) }

  /// Nanoseconds since the machine started (`CLOCK_BOOTTIME`): monotonic, and includes the time during which the machine is
  /// suspended.
  package static var boot: Int64 { read(CLOCK_BOOTTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// Whole nanoseconds, rounded towards zero.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
