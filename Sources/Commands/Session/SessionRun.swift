import HeartRate
import Stress

/// One session from its first event to its last: source into engine into sinks.
///
/// Live, simulated and replayed sessions all run through here.
struct SessionRun<Source: HeartRateSource>: Sendable {
  let source: Source
  let engine: StressEngine
  let makeSinks: @Sendable () throws -> [any SessionSink]
  /// The time at which a session ends that did not end by itself, where the source has a clock of its own.
  var now: @Sendable () -> (at: SessionTime, wall: WallTime)? = { nil }

  /// Runs until the source has no more, or the task is cancelled. The sinks are finished in every case.
  func run() async throws {
    try await source.withEvents { events in
      var progress = SessionProgress(engine: engine, sinks: try makeSinks())
      let outcome = await progress.consume(events)
      try progress.end(now: now())
      try await progress.finish()
      try outcome.get()
    }
  }
}

/// Thrown by a sink that has got what the session was for. Ends it, and is not a failure.
struct SessionComplete: Error {}

/// The moving part of a run.
private struct SessionProgress {
  var engine: StressEngine
  var sinks: [any SessionSink]
  private var last: SessionEvent?
  private var isClosed = false

  init(engine: StressEngine, sinks: [any SessionSink]) {
    self.engine = engine
    self.sinks = sinks
  }

  /// Takes all events. That the run was cancelled is a way to end, not an error.
  mutating func consume<Events: AsyncSequence>(_ events: Events) async -> Result<Void, any Error>
  where Events.Element == SessionEvent {
    do {
      for try await event in events { try take(event) }
      return .success(())
    } catch is CancellationError {
      return .success(())
    } catch is SessionComplete {
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  mutating func take(_ event: SessionEvent) throws {
    last = event
    for index in sinks.indices { try sinks[index].take(event) }
    var engine = self.engine
    defer { self.engine = engine }
    try engine.update(event) { output in
      for index in sinks.indices { try sinks[index].take(output) }
    }
  }

  /// Ends a session whose source did not say that it is over. Nothing is shown to a reader that has gone.
  mutating func end(now: (at: SessionTime, wall: WallTime)?) throws {
    guard last?.kind != .end else { return }
    let at = max(last?.at ?? .zero, now?.at ?? .zero)
    let event = SessionEvent(at: at, wall: now?.wall ?? last?.wall, .end)
    do { try take(event) } catch is ClosedPipe { isClosed = true }
  }

  mutating func finish() async throws {
    for index in sinks.indices {
      do { try await sinks[index].finish() } catch is ClosedPipe { isClosed = true }
    }
    if isClosed { throw ClosedPipe() }
  }
}
