import HeartRate
import History
import Logging
import Recording
import Simulator
import Strap
import Stress
import Terminal

/// A session with a strap, real or simulated: what `live`, `measure` and `record` have in common.
struct LiveSession {
  let configuration: Configuration
  let surroundings: Surroundings
  let source: SourceOptions
  let store: StoreOptions
  let engine: EngineOptions
  let logger: Logger
  var recording: RecordingTarget?
  /// Whether it goes to the history.
  var isStored = true
  /// How long it lasts, in time of the session; without it until it is interrupted.
  var duration: Duration?
  /// Whether a search that finds nothing is left out of the history.
  var isStoredWithDataOnly = false
  /// How long a strap is looked for before the session fails; nil for ever.
  var searchTime: Duration? = .seconds(30)
  var manager = ServiceManager.current

  struct RecordingTarget {
    let path: String
    let replacing: Bool
  }

  /// Runs the session. `present` makes the sink that shows it, once what it is about is settled.
  ///
  /// Files are opened and claims made before the strap is sought: nobody sits still for what cannot be.
  func run(
    notices: Notices, present: @escaping @Sendable (SessionPlan, StoreLocation?) -> any SessionSink
  ) async throws -> (end: RunEnd, plan: SessionPlan) {
    let profile = store.profileName(configuration)
    let location = isStored ? try store.location(configuration, surroundings) : nil
    let memory = ProfileMemory(profile: profile, location: location, notices: notices)
    let plan = SessionPlan(
      profile: profile, source: source.simulate ? .simulated : .strap,
      strap: source.simulate ? SimulatedStrap.identity : nil, settings: engine.settings(configuration),
      baseline: memory.baseline)
    let claims = Claims(plan: plan, location: location ?? (try? store.location(configuration, surroundings)))
    if isStored { try claims.claim(.profile(profile)) }
    // After the claim: a run that cannot be replaces no file.
    let recordingSink = try recording.map {
      try RecordingSink(path: $0.path, replacing: $0.replacing, plan: plan, notices: notices)
    }
    let (interval, isDeferred, manager) = (storeInterval, isStoredWithDataOnly, manager)
    let makeSinks: @Sendable () -> [any SessionSink] = {
      var sinks: [any SessionSink] = []
      if let recordingSink { sinks.append(recordingSink) }
      if let location {
        let store = { StoreSink(plan: plan, location: location, every: interval, notices: notices) }
        sinks.append(isDeferred ? DeferredSink(store) : store())
      }
      if let manager { sinks.append(ServiceSink(manager: manager)) }
      return [ClaimSink(claims: claims)] + sinks + [present(plan, location)]
    }
    let end =
      source.simulate
      ? try await runSimulated(plan, makeSinks) : try await runStrap(plan, memory, makeSinks)
    memory.learn()
    withExtendedLifetime(claims) {}
    return (end, plan)
  }

  private func runSimulated(
    _ plan: SessionPlan, _ makeSinks: @escaping @Sendable () -> [any SessionSink]
  ) async throws -> RunEnd {
    let run = SessionRun(
      source: source.simulated(started: plan.started, duration: duration), engine: plan.engine,
      makeSinks: makeSinks, watchdog: Watchdog(manager))
    return try await runUntilInterrupted { try await run.run() }
  }

  private func runStrap(
    _ plan: SessionPlan, _ memory: ProfileMemory, _ makeSinks: @escaping @Sendable () -> [any SessionSink]
  ) async throws -> RunEnd {
    let selection = (source.strap ?? configuration[.strap]).map { StrapSelection($0) } ?? memory.selection
    let strap = BlueZStrap(
      selection, adapter: source.adapter ?? configuration[.adapter], searchTime: searchTime, logger: logger
    ) { memory.remember($0) }
    let run = SessionRun(
      source: strap, engine: plan.engine, makeSinks: makeSinks, now: { plan.now }, watchdog: Watchdog(manager)
    )
    return try await runUntilInterrupted(limit: duration) { try await run.run() }
  }

  private var storeInterval: Duration {
    configuration[.storeEvery].flatMap(DurationArgument.init(argument:))?.duration ?? .seconds(10)
  }
}
