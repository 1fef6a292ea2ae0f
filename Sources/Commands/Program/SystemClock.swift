import HeartRate
import Platform

/// The clocks of the system: those that the strap's events are timed by.
enum SystemClock {
  /// What the wall clock shows.
  static var wall: WallTime { BootClock.wall() }

  /// Nanoseconds since the machine started, suspended time included.
  static var boot: Int64 { BootClock.now() }
}
