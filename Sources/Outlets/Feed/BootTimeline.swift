package import HeartRate
import Platform

/// Converts times of a session to the boot clock.
///
/// A line arrives some ms after its event. The least difference between arrival and session time is therefore the closest to
/// the true one, as in the minimum filter of network clock synchronisation.
package struct BootTimeline: Equatable, Sendable {
  /// A difference that grows by more than this (in ns) is a new offset: the input was paused, or is a replay.
  static let tolerance: Int64 = 2_000_000_000

  private var offset: Int64?

  package init() {}

  /// Records that the event at `time` was received at `now` (ns of the boot clock).
  package mutating func observe(_ time: SessionTime, at now: Int64) {
    let observed = now - Self.nanoseconds(time)
    guard let offset, observed >= offset, observed - offset <= Self.tolerance else {
      offset = observed
      return
    }
  }

  /// The boot time of `time` in ns. Requires an observation.
  package func boot(_ time: SessionTime) -> Int64? { offset.map { $0 + Self.nanoseconds(time) } }

  private static func nanoseconds(_ time: SessionTime) -> Int64 {
    time.ticks / 2 * 25 + time.ticks % 2 * 25 / 2
  }
}
