import HeartRate
import LiveSession
import Stress
import Testing

@testable import Session

@Suite struct SessionPipelineTests {
  private func run(
    _ source: SecondsSource, _ sinks: [Collector], endsSession: Bool = true,
    now: @escaping @Sendable () -> (at: SessionTime, wall: WallTime)? = { nil }
  ) async throws {
    try await SessionPipeline(engine: StressEngine(), sinks: sinks, endsSession: endsSession).run(
      source, now: now)
  }

  @Test func sinksReceiveTheEventThenItsPartsThenItsMeasurement() async throws {
    let sink = Collector()
    try await run(SecondsSource(count: 1), [sink], endsSession: false)
    #expect(sink.names == ["event", "part", "beat", "measurement", "processed"])
    #expect(sink.finishCount == 1)
  }

  @Test func allSinksReceiveTheSameUpdates() async throws {
    let sinks = [Collector(), Collector(), Collector()]
    try await run(SecondsSource(count: 30), sinks)
    #expect(sinks[0].names == sinks[1].names && sinks[0].names == sinks[2].names)
    #expect(sinks[0].events.count == 31 && sinks[0].events.last?.kind == .end)
  }

  @Test func theEndEventHasTheCurrentTime() async throws {
    let sink = Collector()
    let time = SessionTime(seconds: 9)!
    try await run(SecondsSource(count: 2), [sink]) { (time, WallTime(microseconds: 5)) }
    #expect(sink.events.last == SessionEvent(at: time, wall: WallTime(microseconds: 5), .end))
  }

  @Test func aReplayAddsNoEndEvent() async throws {
    let sink = Collector()
    try await run(SecondsSource(count: 2), [sink], endsSession: false)
    #expect(sink.events.count == 2)
  }

  @Test func aSinkThatStopsEndsTheSessionAfterTheCurrentEvent() async throws {
    let stopping = Collector { update in if case .event = update { .stop(.complete) } else { .proceed } }
    let other = Collector()
    try await run(SecondsSource(count: 10), [stopping, other])
    // The other sink still receives the beat and the measurement of the event.
    #expect(other.names.prefix(4) == ["event", "part", "beat", "measurement"])
    #expect(other.events.map(\.kind).last == .end && other.events.count == 2)
  }

  @Test func theErrorOfASinkThatStopsIsThrown() async throws {
    let sink = Collector { $0.isMeasurement ? .stop(.failed(TestError(number: 1))) : .proceed }
    await #expect(throws: TestError(number: 1)) { try await run(SecondsSource(count: 10), [sink]) }
    #expect(sink.finishCount == 1)
  }

  @Test func theErrorOfTheSourceIsThrownAfterTheSinksFinish() async throws {
    let sink = Collector()
    let source = SecondsSource(count: 2, error: TestError(number: 2))
    await #expect(throws: TestError(number: 2)) { try await run(source, [sink]) }
    #expect(sink.finishCount == 1 && sink.events.last?.kind == .end)
  }

  @Test func severalErrorsAreThrownTogetherInOrder() async throws {
    let sinks = [Collector(finishError: TestError(number: 2)), Collector(finishError: TestError(number: 3))]
    let source = SecondsSource(count: 1, error: TestError(number: 1))
    do {
      try await run(source, sinks)
      Issue.record("no error was thrown")
    } catch let errors as SessionErrors {
      #expect(errors.all.compactMap { $0 as? TestError }.map(\.number) == [1, 2, 3])
    }
    #expect(sinks.map(\.finishCount) == [1, 1])
  }

  @Test func anEventInsertedBeforeAnUpcomingEventPrecedesIt() async throws {
    let inserter = EventInserter()
    let sink = Collector { update in
      if case .upcoming(let event) = update, event == SecondsSource.event(2) {
        inserter.insert([SessionEvent(at: SessionTime(ticks: 120_000_000), .mark("x"))])
      }
      return .proceed
    }
    let pipeline = SessionPipeline(
      engine: StressEngine(), sinks: [sink], inserter: inserter, endsSession: false)
    try await pipeline.run(SecondsSource(count: 3))
    #expect(sink.events.map(\.kind).firstIndex(of: .mark("x")) == 1)
    #expect(sink.events.count == 4)
  }

  @Test func eventTimesNeverDecrease() async throws {
    let (stream, continuation) = AsyncThrowingStream<SessionEvent, any Error>.makeStream()
    for second in [2, 1, 3] { continuation.yield(SecondsSource.event(second)) }
    continuation.finish()
    let sink = Collector()
    try await SessionPipeline(engine: StressEngine(), sinks: [sink], endsSession: false)
      .run(StreamSource(stream: stream))
    #expect(sink.events.map(\.at) == [2, 2, 3].map { SecondsSource.event($0).at })
  }
}
