/// How fast stored or simulated time passes.
public enum Pace: Equatable, Sendable {
  /// A multiple of real time; 1 is real time. At 0, below it or at NaN, time stands still after the first event.
  case times(Double)
  /// Without waiting.
  case maximum
}

/// A source whose events are all known beforehand, handed out when their time has come.
///
/// Events keep the times that they bear, so the results do not depend on the pace.
public struct PacedSource<Base: Sequence<SessionEvent> & Sendable, C: Clock>: HeartRateSource
where C.Duration == Duration {
  private let base: Base
  private let pace: Pace
  private let clock: C

  /// The events of `base`, in their order; `clock` keeps the pace.
  public init(_ base: Base, pace: Pace, clock: C = ContinuousClock()) {
    self.base = base
    self.pace = pace
    self.clock = clock
  }

  public func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    try await body(Events(base: base, pace: pace, clock: clock))
  }

  public struct Events: AsyncSequence {
    fileprivate let base: Base
    fileprivate let pace: Pace
    fileprivate let clock: C

    public func makeAsyncIterator() -> Iterator {
      Iterator(events: base.makeIterator(), pace: pace, clock: clock, start: clock.now)
    }
  }

  public struct Iterator: AsyncIteratorProtocol {
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

    /// The next event, at its time. Cancellation ends it with a `CancellationError`, also while it waits.
    public mutating func next() async throws -> SessionEvent? {
      guard let event = events.next() else { return nil }
      switch pace {
      case .times(let factor):
        try await clock.sleep(until: start.advanced(by: delay(of: event, factor)), tolerance: nil)
      case .maximum:
        try await letOthersRun()
      }
      return event
    }

    /// How long after the start `event` is due; at most the 31 years that a session can last.
    private func delay(of event: SessionEvent, _ factor: Double) -> Duration {
      guard event.at > .zero else { return .zero }
      let ticks = factor > 0 ? Double(event.at.ticks) / factor : .infinity
      return Duration(ticks: SessionTime(ticks: Int64(min(ticks, 1e18))).ticks)
    }

    /// At full speed nothing suspends: now and then, let a signal or a cancellation through.
    private mutating func letOthersRun() async throws {
      untilYield -= 1
      guard untilYield < 0 else { return }
      untilYield = 1000
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
