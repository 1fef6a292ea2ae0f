import Glibc
public import HeartRate

/// `CLOCK_BOOTTIME`: never steps, and counts the time that the machine is suspended.
public enum BootClock {
  /// Nanoseconds since the machine started.
  public static func now() -> Int64 { read(CLOCK_BOOTTIME) }

  /// What the wall shows.
  public static func wall() -> WallTime { WallTime(microseconds: read(CLOCK_REALTIME) / 1000) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// Whole nanoseconds, rounded towards zero.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
