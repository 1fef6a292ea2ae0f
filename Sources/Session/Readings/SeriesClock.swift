package import HeartRate
import Platform

/// The clock of a series of readings: the system clock, or that of a simulated strap, which runs at the strap's speed.
package final class SeriesClock: Sendable {
  /// The start of a reading.
  package struct Start: Sendable {
    /// Counts from 0.
    package let index: Int64
    /// The wall-clock time of the simulation. The system clock provides none.
    package let simulated: WallTime?
  }

  private enum Rate {
    case system
    case times(Double)
    /// Time passes only by waiting.
    case maximum
  }

  /// In nanoseconds of CLOCK_BOOTTIME, like all times of this clock.
  package let start = SystemClock.boot
  private let rate: Rate
  private let startWall: WallTime
  private let reached: Locked<Int64>

  /// - Parameter length: from the start of the first reading to the end of the last; an unlimited series has none. A
  ///   simulated series that is faster than real time ends now if it is limited, and otherwise starts now.
  package init(_ source: SessionSource, length: Duration?) {
    switch source.simulated?.pace {
    case .times(let factor): rate = .times(factor)
    case .maximum: rate = .maximum
    case nil: rate = .system
    }
    startWall = SystemClock.wall.advanced(ticks: -source.headStart(over: length).ticks)
    reached = Locked(start)
  }

  /// The system clock.
  package init() {
    rate = .system
    startWall = SystemClock.wall
    reached = Locked(start)
  }

  package var now: Int64 {
    switch rate {
    case .system: SystemClock.boot
    case .times(let factor): start + Int64((Double(SystemClock.boot - start) * factor).rounded())
    case .maximum: reached.withLock { $0 }
    }
  }

  /// The wall-clock time of a time of this clock.
  package func wall(at time: Int64) -> WallTime {
    switch rate {
    case .system: SystemClock.wall.advanced(ticks: Duration.nanoseconds(time - now).ticks)
    case .times, .maximum: startWall.advanced(ticks: Duration.nanoseconds(time - start).ticks)
    }
  }

  func start(_ index: Int64, at time: Int64) -> Start {
    if case .system = rate { return Start(index: index, simulated: nil) }
    return Start(index: index, simulated: wall(at: time))
  }

  func wait(until due: Int64, _ manager: ServiceManager?) async throws {
    switch rate {
    case .system: try await ServiceManager.wait(until: due, sendingKeepAlivesTo: manager)
    case .times(let factor):
      let rest = Double(due - start) / factor
      try await ServiceManager.wait(until: start + Int64(rest.rounded(.up)), sendingKeepAlivesTo: manager)
    case .maximum:
      try Task.checkCancellation()
      reached.withLock { $0 = max($0, due) }
    }
  }
}
