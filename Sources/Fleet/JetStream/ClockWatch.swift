internal import Dispatch
package import HeartRate
internal import Platform

/// Runs an action when the wall clock was set back.
///
/// libnats 3.4 ends its waits and timers at times of the wall clock: after a step back, they last longer by the step. A new
/// connection has new timers.
final class ClockWatch {
  private let timer: any DispatchSourceTimer
  private let isActive = Locked(true)

  /// - Parameter action: Called on any thread within about a second after the step, until ``stop()``.
  init(_ action: @escaping @Sendable () -> Void) {
    let clock = Locked(ClockStep(wall: SystemClock.wall, boot: SystemClock.boot))
    timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + 1, repeating: 1)
    timer.setEventHandler { [isActive] in
      guard clock.withLock({ $0.isBackward(wall: SystemClock.wall, boot: SystemClock.boot) }) else { return }
      isActive.withLock { if $0 { action() } }
    }
    timer.activate()
  }

  func stop() {
    timer.cancel()
    isActive.withLock { $0 = false }
  }
}

/// Detects that the wall clock was set back by more than a second.
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
