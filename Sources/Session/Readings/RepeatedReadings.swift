package import HeartRate
package import Platform

/// Takes a reading at a fixed rate. A reading that fails is reported, and the next one is taken at its time.
package struct RepeatedReadings: Sendable {
  package enum Report {
    /// The reading failed; the next one is a retry.
    case failed(any Error)
    /// A reading succeeded.
    case succeeded
    case notStored(any Error)
    /// Readings were skipped because the machine was suspended or a reading took too long.
    case missed(Int)
    /// The wall-clock time of the next reading.
    case next(WallTime)
  }

  package let every: Duration
  /// Number of attempts. Unlimited by default.
  package var count: Int?
  package var manager = ServiceManager.current
  package var clock = SeriesClock()
  /// Whether the next reading can succeed although this one failed; false for an invalid setting.
  package let canRetry: @Sendable (any Error) -> Bool
  package let report: @Sendable (Report) -> Void
  /// Takes one reading. Returns the error of storing it.
  package let take: @Sendable (SeriesClock.Start) async throws -> (any Error)?

  package init(
    every: Duration, count: Int? = nil, clock: SeriesClock = SeriesClock(),
    canRetry: @escaping @Sendable (any Error) -> Bool, report: @escaping @Sendable (Report) -> Void,
    take: @escaping @Sendable (SeriesClock.Start) async throws -> (any Error)?
  ) {
    (self.every, self.count, self.clock) = (every, count, clock)
    (self.canRetry, self.report, self.take) = (canRetry, report, take)
  }

  /// Takes the readings until `count` is reached.
  /// - Returns: The error that the exit status should state: that of storing a reading, or that of the last reading if none
  ///   succeeded.
  /// - Throws: An error that cannot be retried, and cancellation.
  package func run() async throws -> (any Error)? {
    var schedule = FixedRateSchedule(start: clock.start, period: every)
    var outcomes = Outcomes()
    manager?.ready()
    while true {
      try await attempt(clock.start(schedule.index, at: schedule.due), &outcomes)
      if outcomes.attempts == count { return outcomes.error }
      try await waitForNext(&schedule)
    }
  }

  private func attempt(_ start: SeriesClock.Start, _ outcomes: inout Outcomes) async throws {
    outcomes.attempts += 1
    do {
      let unstored = try await take(start)
      outcomes.successes += 1
      if let unstored {
        outcomes.unstored = unstored
        report(.notStored(unstored))
      }
      report(.succeeded)
    } catch {
      guard canRetry(error), !Task.isCancelled else { throw error }
      outcomes.last = error
      report(.failed(error))
    }
  }

  private func waitForNext(_ schedule: inout FixedRateSchedule) async throws {
    var missed = schedule.advance(to: clock.now)
    while true {
      report(.next(clock.wall(at: schedule.due)))
      try await clock.wait(until: schedule.due, manager)
      guard schedule.isMissed(at: clock.now) else { break }
      missed += 1 + schedule.advance(to: clock.now)
    }
    if missed > 0 { report(.missed(missed)) }
  }
}

private struct Outcomes {
  var attempts = 0
  var successes = 0
  var last: (any Error)?
  var unstored: (any Error)?

  var error: (any Error)? { unstored ?? (successes > 0 ? nil : last) }
}

/// Times at a fixed rate. A late execution does not move the later times.
///
/// In nanoseconds of a clock that does not step and includes suspended time.
package struct FixedRateSchedule: Equatable, Sendable {
  private let start: Int64
  private let period: Int64
  /// Index of the current time; the start is 0.
  package private(set) var index: Int64 = 0

  /// - Parameter period: at least 1 ns.
  package init(start: Int64, period: Duration) {
    let (seconds, attoseconds) = period.components
    self.start = start
    self.period = max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// The current time.
  package var due: Int64 { start + index * period }

  /// Advances to the first later time that is not before `now`.
  /// - Returns: The number of times skipped.
  package mutating func advance(to now: Int64) -> Int {
    let upcoming = max(index + 1, (now - start + period - 1) / period)
    defer { index = upcoming }
    return Int(upcoming - index - 1)
  }

  /// Whether the current time is more than half a period ago, because the machine was suspended.
  package func isMissed(at now: Int64) -> Bool { now - due > period / 2 }
}
