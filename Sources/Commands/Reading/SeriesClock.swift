import HeartRate
import Platform
import Synchronization

/// The clock of a series of readings: the system's, or that of the simulated strap, which passes at the strap's speed.
final class SeriesClock: Sendable {
  /// A moment of the series at which a reading begins.
  struct Start: Sendable {
    /// Counts from 0.
    let place: Int64
    /// What the simulated wall clock shows; nil for the system's clock.
    let simulated: WallTime?
  }

  private enum Pace {
    case system
    case times(Double)
    /// Time passes only by waiting.
    case maximum
  }

  /// In nanoseconds of CLOCK_BOOTTIME, as all times of this clock.
  let start = SystemClock.boot
  private let pace: Pace
  private let startWall: WallTime
  private let reached: Mutex<Int64>

  /// - Parameter length: From the beginning of the first reading to the end of the last; nil for a series without end. A
  ///   simulated series that is faster than the system's clock ends now if it has an end, and begins now otherwise.
  init(_ source: SourceOptions, length: Duration?) {
    switch source.simulate ? source.speed?.pace ?? .times(1) : nil {
    case .times(let factor): pace = .times(factor)
    case .maximum: pace = .maximum
    case nil: pace = .system
    }
    startWall = SystemClock.wall.advanced(ticks: -source.headStart(over: length).ticks)
    reached = Mutex(start)
  }

  /// The system's clock.
  init() {
    pace = .system
    startWall = SystemClock.wall
    reached = Mutex(start)
  }

  var now: Int64 {
    switch pace {
    case .system: SystemClock.boot
    case .times(let factor): start + Int64((Double(SystemClock.boot - start) * factor).rounded())
    case .maximum: reached.withLock { $0 }
    }
  }

  /// What the wall clock shows at a time.
  func wall(at time: Int64) -> WallTime {
    switch pace {
    case .system: SystemClock.wall.advanced(ticks: Duration.nanoseconds(time - now).ticks)
    case .times, .maximum: startWall.advanced(ticks: Duration.nanoseconds(time - start).ticks)
    }
  }

  /// The beginning of the reading at a time.
  func start(_ place: Int64, at time: Int64) -> Start {
    if case .system = pace { return Start(place: place, simulated: nil) }
    return Start(place: place, simulated: wall(at: time))
  }

  func wait(until due: Int64, telling manager: ServiceManager?) async throws {
    switch pace {
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
