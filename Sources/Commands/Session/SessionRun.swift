import HeartRate
import Stress

/// One session from its first event to its last: source into engine into sinks.
///
/// Live, simulated and replayed sessions all run through here.
struct SessionRun<Source: HeartRateSource>: Sendable {
  let source: Source
  let engine: StressEngine
  let makeSinks: @Sendable () throws -> [any SessionSink]
  /// Whether the end of the run is the end of the session. That of a replay is not: a session that was killed has no
  /// end, then or now.
  var endsSession = true
  /// The time at which a session ends that did not end by itself, where the source has a clock of its own.
  var now: @Sendable () -> (at: SessionTime, wall: WallTime)? = { nil }
  /// Who watches whether the run still gets on, if anybody does.
  var watchdog: Watchdog?

  /// Runs until the source has no more, or the task is cancelled. Every sink is finished in every case.
  func run() async throws {
    try await source.withEvents { events in
      var progress = SessionProgress(engine: engine, sinks: try makeSinks(), watchdog: watchdog)
      if let watchdog {
        await watchdog.watch { await complete(&progress, events) }
      } else {
        await complete(&progress, events)
      }
      try progress.outcome.get()
    }
  }

  private func complete(_ progress: inout SessionProgress, _ events: Source.Events) async {
    await progress.consume(events)
    if endsSession { progress.end(now: now()) }
    await progress.finish()
  }
}

/// Thrown by a sink that has got what the session was for. Ends it, and is not a failure.
struct SessionComplete: Error {}

/// The moving part of a run.
private struct SessionProgress {
  var engine: StressEngine
  var sinks: [any SessionSink]
  private var last: SessionEvent?
  private var failures: [any Error] = []
  private let watchdog: Watchdog?

  init(engine: StressEngine, sinks: [any SessionSink], watchdog: Watchdog?) {
    self.engine = engine
    self.sinks = sinks
    self.watchdog = watchdog
  }

  /// Takes all events. That the run was cancelled is a way to end, not an error.
  mutating func consume<Events: AsyncSequence>(_ events: Events) async where Events.Element == SessionEvent {
    do {
      for try await event in events { try take(event) }
    } catch is CancellationError {
    } catch is SessionComplete {
    } catch {
      failures.append(error)
    }
  }

  private mutating func take(_ event: SessionEvent) throws {
    watchdog?.enter()
    defer { watchdog?.leave() }
    last = event
    for index in sinks.indices { try sinks[index].take(event) }
    try Self.pass(event, through: &engine, to: &sinks)
  }

  /// Takes the two parts by themselves: a copy of the engine would copy its whole window at each beat.
  private static func pass(
    _ event: SessionEvent, through engine: inout StressEngine, to sinks: inout [any SessionSink]
  ) throws {
    let known = engine.sensorClass
    try engine.update(event) { part in
      for index in sinks.indices { try sinks[index].take(part) }
    } measured: { measurement in
      for index in sinks.indices { try sinks[index].take(measurement) }
    }
    guard let found = engine.sensorClass, found != known else { return }
    for index in sinks.indices { try sinks[index].take(found) }
  }

  /// Ends a session whose source did not say that it is over. What fails does not keep it from being put in order.
  mutating func end(now: (at: SessionTime, wall: WallTime)?) {
    guard last?.kind != .end else { return }
    let at = max(last?.at ?? .zero, now?.at ?? .zero)
    let event = SessionEvent(at: at, wall: now?.wall ?? last?.wall, .end)
    do { try take(event) } catch { failures.append(error) }
  }

  /// Finishes every sink, whatever becomes of the others.
  mutating func finish() async {
    for index in sinks.indices {
      do { try await sinks[index].finish() } catch { failures.append(error) }
    }
  }

  /// What went wrong, all of it. That the reader has gone matters only where nothing did.
  var outcome: Result<Void, any Error> {
    let told = failures.compactMap { CommandFailure($0) }
    if let failure = CommandFailure(all: told) { return .failure(failure) }
    return failures.first.map { .failure($0) } ?? .success(())
  }
}
