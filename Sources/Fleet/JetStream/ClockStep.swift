package import HeartRate

/// Detects that the wall clock was set back by more than a second.
///
/// libnats 3.4 ends its waits and timers at times of the wall clock, so that they last longer by the step. A new connection has new timers.
package struct ClockStep: Sendable {
  /// Difference of the wall clock and the boot clock, in us.
  private var difference: Int64

  /// - Parameter boot: ns since the machine started.
  package init(wall: WallTime, boot: Int64) { difference = wall.microseconds - boot / 1000 }

  /// Whether the clock was set back since the last call.
  package mutating func isBackward(wall: WallTime, boot: Int64) -> Bool {
    let previous = difference
    difference = wall.microseconds - boot / 1000
    return difference < previous - 1_000_000
  }
}
