import Breathing
import HRV
import HeartRate
import Stress
import Synchronization
import Terminal
import Testing

@testable import Commands

/// One beat a second from 1 s on; an error at the end where there is one.
private struct Seconds: HeartRateSource {
  var count: Int
  var failure: Failure?

  struct Failure: Error {}

  static func event(_ second: Int) -> SessionEvent {
    let time = SessionTime(ticks: Int64(second) * RRInterval.ticksPerSecond)
    return SessionEvent(at: time, .notification(payload: [0x10, 60, 0x00, 0x04]))
  }

  func withEvents<Result>(_ body: (AsyncThrowingStream<SessionEvent, any Error>) async throws -> Result)
    async throws -> Result
  {
    let (stream, continuation) = AsyncThrowingStream<SessionEvent, any Error>.makeStream()
    for second in 1...count { continuation.yield(Self.event(second)) }
    continuation.finish(throwing: failure)
    return try await body(stream)
  }
}

/// What a stream gives.
private struct Given: HeartRateSource {
  let stream: AsyncThrowingStream<SessionEvent, any Error>

  func withEvents<Result>(_ body: (AsyncThrowingStream<SessionEvent, any Error>) async throws -> Result)
    async throws -> Result
  { try await body(stream) }
}

private final class Collected: Sendable {
  private let all = Mutex<[SessionEvent]>([])

  var events: [SessionEvent] { all.withLock { $0 } }

  func take(_ event: SessionEvent) { all.withLock { $0.append(event) } }

  func waits(for count: Int) async {
    while events.count < count { await Task.yield() }
  }
}

private struct Collector: SessionSink {
  let collected: Collected

  mutating func take(_ event: SessionEvent) throws { collected.take(event) }
  mutating func finish() async throws {}
}

@Suite struct SessionDeskTests {
  private func texts(_ events: [SessionEvent]) -> [String] {
    events.map { if case .mark(let text) = $0.kind { text } else { "-" } }
  }

  /// All events with what `desk` puts between them; `body` is called after each, before the next is asked for.
  private func collect(
    _ source: Seconds, _ desk: SessionController, after body: (_ count: Int, _ last: SessionEvent) -> Void
  ) async -> (events: [SessionEvent], failed: Bool) {
    var events: [SessionEvent] = []
    do {
      try await AttendedSource(base: source, attendant: desk).withEvents { stream in
        for try await event in stream {
          events.append(event)
          desk.hasPassed(event)
          body(events.count, event)
        }
      }
    } catch { return (events, true) }
    return (events, false)
  }

  @Test func marksLieBetweenTheirNeighbours() async {
    let desk = SessionController(speed: nil)
    let (events, _) = await collect(Seconds(count: 3), desk) { count, _ in
      if count == 1 { for _ in 1...2 { _ = desk.mark() } }
    }
    #expect(texts(events) == ["-", "mark 1", "mark 2", "-", "-"])
    #expect(events.map(\.at) == events.map(\.at).sorted())
    #expect(events[1].at == events[0].at)
  }

  /// A key that was pressed after the last event is not lost, whether the session ends well or not.
  @Test(arguments: [true, false])
  func whatWaitsAtTheEndIsTaken(fails: Bool) async {
    let desk = SessionController(speed: nil)
    let source = Seconds(count: 2, failure: fails ? Seconds.Failure() : nil)
    let (events, failed) = await collect(source, desk) { count, _ in
      if count == 2 { _ = desk.mark() }
    }
    #expect(texts(events) == ["-", "-", "mark 1"] && failed == fails)
  }

  @Test func aMarkDoesNotWaitForASilentStrap() async throws {
    let (desk, collected) = (SessionController(speed: nil), Collected())
    let (stream, strap) = AsyncThrowingStream<SessionEvent, any Error>.makeStream()
    let run = SessionRun(
      source: AttendedSource(base: Given(stream: stream), attendant: desk),
      engine: StressEngine(settings: StressEngine.Settings(), baseline: .populationDefault),
      makeSinks: { [Collector(collected: collected)] }, endsSession: false, attendant: desk)
    async let session: Void = run.run()
    strap.yield(Seconds.event(2))
    await collected.waits(for: 1)
    _ = desk.mark()
    await collected.waits(for: 2)
    // It arrived before the mark, and comes through after it.
    strap.yield(Seconds.event(1))
    strap.yield(Seconds.event(3))
    strap.finish()
    try await session
    #expect(texts(collected.events) == ["-", "mark 1", "-", "-"])
    #expect(collected.events.map(\.at) == [2, 2, 2, 3].map { Seconds.event($0).at })
  }

  @Test func withoutAHistoryTheMarkIsInNoJournal() {
    let message = SessionController(speed: nil).mark()
    #expect(message == .marked(number: 1, at: .zero, .nothingIsStored) && !message.isFailure)
  }

  private var exercise: GuidedExercise {
    GuidedExercise(
      course: ExerciseCourse(
        before: .seconds(2), breathing: PacedBreathing(.calming, cycles: 1), after: .seconds(2)),
      findsResonance: false, variability: .populationDefault)
  }

  @Test func anExerciseIsLedThroughASessionThatGoesOn() async {
    let desk = SessionController(speed: nil)
    var doneAfter: Int?
    let (events, _) = await collect(Seconds(count: 40), desk) { count, _ in
      if count == 5 { _ = desk.begin(exercise, live: .init()) }
      if desk.led?.isDone == true, doneAfter == nil { doneAfter = count }
    }
    let marks = events.filter { $0.kind != Seconds.event(1).kind }
    #expect(
      texts(marks) == [
        "rest before breathing begins", "breathing exercise begins", "breathing at 4-0-6-0",
        "breathing exercise ends", "rest after breathing ends",
      ])
    // The beat that came with the end belongs to it.
    #expect(marks.map { $0.at.seconds } == [6, 8, 8, 18, 20])
    #expect(doneAfter.map { events[$0 - 1].at.seconds } == 20)
    #expect(desk.breath(at: SessionTime(seconds: 9)!) != nil)
    #expect(desk.breath(at: SessionTime(seconds: 30)!) == nil)
  }

  @Test(arguments: [
    (7, ["rest before breathing begins", "rest after breathing ends"]),
    (
      12,
      [
        "rest before breathing begins", "breathing exercise begins", "breathing at 4-0-6-0",
        "breathing exercise ends", "rest after breathing ends",
      ]
    ),
  ])
  func oneThatIsBrokenOffEndsThere(second: Int, marks: [String]) async {
    let desk = SessionController(speed: nil)
    let (events, _) = await collect(Seconds(count: 30), desk) { _, last in
      if last == Seconds.event(5) { _ = desk.begin(exercise, live: .init()) }
      if last == Seconds.event(second) { _ = desk.finish() }
    }
    #expect(texts(events.filter { $0.kind != Seconds.event(1).kind }) == marks)
    #expect(desk.led == nil)
  }
}
