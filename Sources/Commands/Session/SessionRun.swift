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
  /// Whose marks do not wait for the source, if there is anybody.
  var attendant: (any MarkSource)?

  /// Runs until the source has no more, or the task is cancelled. Every sink is finished in every case.
  func run() async throws {
    try await source.withEvents { events in
      let progress = SessionProgress(engine: engine, sinks: try makeSinks(), watchdog: watchdog)
      if let watchdog {
        await watchdog.watch { await take(events, into: progress) }
      } else {
        await take(events, into: progress)
      }
      if endsSession { progress.end(now: now()) }
      try await progress.finish()
    }
  }

  private func take(_ events: Source.Events, into progress: SessionProgress) async {
    guard let attendant else { return await progress.consume(events) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await attendant.deliverLateMarks { progress.insert($0) } }
      await progress.consume(events)
      group.cancelAll()
    }
  }
}

/// Thrown by a sink that has got what the session was for. Ends it, and is not a failure.
struct SessionComplete: Error {}
