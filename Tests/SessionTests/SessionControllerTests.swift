import Breathing
import HeartRate
import LiveSession
import Stress
import Testing

@testable import Session

@Suite struct SessionControllerTests {
  private func texts(_ events: [SessionEvent]) -> [String] {
    events.map { if case .mark(let text) = $0.kind { text } else { "-" } }
  }

  /// Runs a session with `controller`. Calls `between` after each event of the source.
  private func run(
    _ controller: SessionController, count: Int, error: TestError? = nil,
    between: @escaping @Sendable (_ count: Int) -> Void = { _ in }
  ) async -> [SessionEvent] {
    let sink = Collector()
    let pipeline = SessionPipeline(
      engine: StressEngine(), sinks: [controller, sink], inserter: controller.inserter)
    try? await pipeline.run(SecondsSource(count: count, error: error, between: between))
    return sink.events.filter { $0.kind != .end }
  }

  @Test func marksArePlacedBetweenTheEventsAroundThem() async {
    let controller = SessionController(speed: nil)
    let events = await run(controller, count: 3) { count in
      if count == 1 { for _ in 1...2 { _ = controller.mark() } }
    }
    #expect(texts(events) == ["-", "mark 1", "mark 2", "-", "-"])
    #expect(events[1].at == events[0].at)
  }

  @Test(arguments: [nil, TestError()])
  func aMarkAfterTheLastEventIsInTheSession(error: TestError?) async {
    let controller = SessionController(speed: nil)
    let events = await run(controller, count: 2, error: error) { if $0 == 2 { _ = controller.mark() } }
    #expect(texts(events) == ["-", "-", "mark 1"])
  }

  @Test func aMarkDoesNotWaitForASilentStrap() async throws {
    let (controller, sink) = (SessionController(speed: nil), Collector())
    let (stream, strap) = AsyncThrowingStream<SessionEvent, any Error>.makeStream()
    let pipeline = SessionPipeline(
      engine: StressEngine(), sinks: [controller, sink], inserter: controller.inserter, endsSession: false)
    async let session: Void = pipeline.run(StreamSource(stream: stream))
    strap.yield(SecondsSource.event(2))
    await sink.wait(forEvents: 1)
    _ = controller.mark()
    await sink.wait(forEvents: 2)
    // This event arrived before the mark and is processed after it.
    strap.yield(SecondsSource.event(1))
    strap.yield(SecondsSource.event(3))
    strap.finish()
    try await session
    #expect(texts(sink.events) == ["-", "mark 1", "-", "-"])
    #expect(sink.events.map(\.at) == [2, 2, 2, 3].map { SecondsSource.event($0).at })
  }

  @Test func aMarkStatesWhetherTheSessionHasData() async {
    let controller = SessionController(speed: nil)
    let first = controller.mark()
    #expect(first.number == 1 && first.event.at == .zero && !first.isInSessionWithData)
    _ = await run(controller, count: 1)
    #expect(controller.mark().isInSessionWithData)
  }

  // MARK: Exercises

  private let course = ExerciseCourse(
    before: .seconds(2), breathing: PacedBreathing(.calming, cycles: 1), after: .seconds(2))

  private static let allMarks = [
    "rest before breathing begins", "breathing exercise begins", "breathing at 4-0-6-0",
    "breathing exercise ends",
    "rest after breathing ends",
  ]

  @Test func anExerciseIsGuidedDuringASessionThatContinues() async {
    let (controller, course) = (SessionController(speed: nil), course)
    let events = await run(controller, count: 40) { count in
      if count == 5 { _ = controller.start(course) }
      // The exercise is done with the event at its end, 20 s.
      #expect(count <= 5 || controller.exercise?.isDone == (count >= 20))
    }
    let marks = events.filter { $0.kind != SecondsSource.event(1).kind }
    #expect(texts(marks) == Self.allMarks)
    #expect(marks.map { $0.at.seconds } == [6, 8, 8, 18, 20])
    #expect(controller.breath(at: SessionTime(seconds: 9)!) != nil)
    #expect(controller.breath(at: SessionTime(seconds: 30)!) == nil)
  }

  @Test(arguments: [
    (7, ["rest before breathing begins", "rest after breathing ends"]), (12, allMarks),
  ])
  func anInterruptedExerciseEndsWithClosingMarks(second: Int, marks: [String]) async {
    let (controller, course) = (SessionController(speed: nil), course)
    let events = await run(controller, count: 30) { count in
      if count == 5 { _ = controller.start(course) }
      if count == second { #expect(!controller.finishExercise().isEmpty) }
    }
    #expect(texts(events.filter { $0.kind != SecondsSource.event(1).kind }) == marks)
    #expect(controller.exercise == nil)
  }

  @Test func theSessionOfAnExerciseEndsWithTheExercise() async {
    let recorder = ExerciseRecorder()
    let controller = SessionController(
      guiding: .init(ExerciseGuide(course, speed: nil), recorder))
    let events = await run(controller, count: 60)
    // Starts with the first beat at 1 s and takes 14 s.
    #expect(events.last?.at.seconds == 15)
    #expect(texts(events).filter { $0 != "-" } == Self.allMarks)
    #expect(recorder.events.filter { $0.kind != .end } == events && recorder.hasBeats)
  }

  @Test func theEndOfAnExerciseIsAwaitedWithoutEvents() async throws {
    let guide = ExerciseGuide(course, speed: 140)
    guide.start()
    try await guide.untilOver()
    #expect(guide.moment.stage == .over)
  }

  @Test func quittingEndsTheWait() async {
    let guide = ExerciseGuide(course, speed: 1)
    async let wait: Void = guide.untilQuit()
    guide.quit()
    await wait
    #expect(guide.hasQuit)
  }
}
