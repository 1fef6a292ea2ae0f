/// A source of session events: a strap, a simulator or a recording.
package protocol HeartRateSource: Sendable {
  associatedtype Events: AsyncSequence where Events.Element == SessionEvent

  /// Runs `body` with the events of one session.
  ///
  /// The source releases what it acquired (scan, connection, subscription) when `body` returns, throws or is
  /// cancelled. The sequence ends when the source is exhausted; an unreachable strap does not end it. It
  /// supports one consumer.
  func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result
}

/// The speed at which recorded or simulated events are delivered.
package enum Pace: Equatable, Sendable {
  /// A multiple of real time; 1 is real time. With 0, a negative number or NaN, no event after the first is
  /// delivered.
  case times(Double)
  /// No waiting between events.
  case maximum
}

/// Delivers known events at their times, scaled by a pace.
///
/// The event times are unchanged, so the results do not depend on the pace.
package struct PacedSource<Base: Sequence<SessionEvent> & Sendable, C: Clock>: HeartRateSource
where C.Duration == Duration {
  private let base: Base
  private let pace: Pace
  private let clock: C

  /// Creates a source that delivers the events of `base` in order, timed by `clock`.
  package init(_ base: Base, pace: Pace, clock: C = ContinuousClock()) {
    self.base = base
    self.pace = pace
    self.clock = clock
  }

  package func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    try await body(Events(base: base, pace: pace, clock: clock))
  }

  package struct Events: AsyncSequence {
    fileprivate let base: Base
    fileprivate let pace: Pace
    fileprivate let clock: C

    package func makeAsyncIterator() -> Iterator {
      Iterator(events: base.makeIterator(), pace: pace, clock: clock, start: clock.now)
    }
  }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate var events: Base.Iterator
    fileprivate let pace: Pace
    fileprivate let clock: C
    fileprivate let start: C.Instant
    private var untilYield = 0

    fileprivate init(events: Base.Iterator, pace: Pace, clock: C, start: C.Instant) {
      self.events = events
      self.pace = pace
      self.clock = clock
      self.start = start
    }

    /// Waits until the next event is due and returns it. Cancellation, also during the wait, throws a
    /// `CancellationError`.
    package mutating func next() async throws -> SessionEvent? {
      guard let event = events.next() else { return nil }
      switch pace {
      case .times(let factor):
        try await clock.sleep(until: start.advanced(by: delay(of: event, factor)), tolerance: nil)
      case .maximum:
        try await yieldPeriodically()
      }
      return event
    }

    /// The time from the start until `event` is due; at most 31 years, the maximum length of a session.
    private func delay(of event: SessionEvent, _ factor: Double) -> Duration {
      guard event.at > .zero else { return .zero }
      let ticks = factor > 0 ? Double(event.at.ticks) / factor : .infinity
      return Duration(ticks: SessionTime(ticks: Int64(min(ticks, 1e18))).ticks)
    }

    /// Yields every few events: without waits nothing else suspends, and signals and cancellation need a
    /// suspension point.
    private mutating func yieldPeriodically() async throws {
      untilYield -= 1
      guard untilYield < 0 else { return }
      untilYield = 1000
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
