import HeartRate
import Synchronization
import TestSupport
import Testing

/// A manual clock that advances to each requested deadline and records it.
private final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private let state = Mutex((now: Duration.seconds(1000), deadlines: [Duration]()))
  var now: Instant { state.withLock { Instant(offset: $0.now) } }
  var minimumResolution: Duration { .zero }
  /// Recorded deadlines since the start of the clock, in order.
  var deadlines: [Duration] { state.withLock { $0.deadlines.map { $0 - .seconds(1000) } } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock {
      $0.deadlines.append(deadline.offset)
      $0.now = max($0.now, deadline.offset)
    }
  }
}

private let events = [0.0, 0.5, 2, 3600].map { seconds in
  SessionEvent(
    at: SessionTime(ticks: Int64(seconds * 8e7)), wall: WallTime(microseconds: 7), .mark("at \(seconds)"))
}

private func run(_ pace: Pace, clock: ManualClock) async throws -> [SessionEvent] {
  try await PacedSource(events, pace: pace, clock: clock).withEvents { incoming in
    var received: [SessionEvent] = []
    for try await event in incoming { received.append(event) }
    return received
  }
}

@Test(
  "Each event is delivered unchanged at its scaled time",
  arguments: [
    (1.0, [.zero, .milliseconds(500), .seconds(2), .seconds(3600)]),
    (10, [.zero, .milliseconds(50), .milliseconds(200), .seconds(360)]),
    (0.5, [.zero, .seconds(1), .seconds(4), .seconds(7200)]),
  ] as [(Double, [Duration])])
func scaledTimes(factor: Double, deadlines: [Duration]) async throws {
  let clock = ManualClock()
  #expect(try await run(.times(factor), clock: clock) == events)
  #expect(clock.deadlines == deadlines)
}

@Test(
  "A pace that is not positive delivers the first event and then waits for 31 years",
  arguments: [0, -1, Double.nan, .leastNonzeroMagnitude])
func invalidPace(_ factor: Double) async throws {
  let clock = ManualClock()
  #expect(try await run(.times(factor), clock: clock) == events)
  #expect(clock.deadlines.first == .zero)
  #expect(clock.deadlines.dropFirst().allSatisfy { $0 == .seconds(1_000_000_000) })
}

@Test("The maximum pace does not use the clock") func maximumPace() async throws {
  let clock = ManualClock()
  #expect(try await run(.maximum, clock: clock) == events)
  #expect(clock.deadlines.isEmpty)
}

@Test("The result or error of the body is returned to the caller") func resultOfBody() async throws {
  struct Stop: Error {}
  let source = PacedSource(events, pace: .maximum)
  #expect(try await source.withEvents { _ in 42 } == 42)
  await #expect(throws: Stop.self) { try await source.withEvents { _ in throw Stop() } }
}

@Test("Cancellation ends a run at any pace", .timeLimit(.minutes(30)), arguments: [Pace.times(1), .maximum])
func cancellation(_ pace: Pace) async {
  let source = PacedSource(EndlessEvents(), pace: pace)
  let (started, start) = AsyncStream.makeStream(of: Void.self)
  let run = Task {
    try await source.withEvents { incoming in
      for try await _ in incoming { start.yield() }
    }
  }
  for await _ in started { break }
  run.cancel()
  await #expect(throws: CancellationError.self) { try await run.value }
}

/// An infinite sequence of events.
private struct EndlessEvents: Sequence, Sendable {
  func makeIterator() -> AnyIterator<SessionEvent> {
    AnyIterator { SessionEvent(at: .zero, .mark("again")) }
  }
}
