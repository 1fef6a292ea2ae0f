import Glibc
package import HeartRate

/// `CLOCK_BOOTTIME`: monotonic, and includes the time during which the machine is suspended.
package enum BootClock {
  /// Nanoseconds since the machine started.
  package static func now() -> Int64 { read(CLOCK_BOOTTIME) }

  /// The time of day (`CLOCK_REALTIME`), which may step.
  package static func wall() -> WallTime { WallTime(microseconds: read(CLOCK_REALTIME) / 1000) }

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
