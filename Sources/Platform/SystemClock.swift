package import HeartRate

/// The clocks that session events are timed with.
package enum SystemClock {
  /// The time of day (`CLOCK_REALTIME`), which may step.
  package static var wall: WallTime { BootClock.wall() }

  /// Nanoseconds since the machine started (`CLOCK_BOOTTIME`); includes suspended time.
  package static var boot: Int64 { BootClock.now() }
}
