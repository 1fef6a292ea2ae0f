import HeartRate
import History
import Logging
import Platform
import Simulator
import Strap
import Stress
import Terminal

/// A session with a strap, real or simulated: what `live`, `measure` and `record` have in common.
struct LiveSession {
  let configuration: Configuration
  let environment: ProcessEnvironment
  var source: SourceOptions
  let store: StoreOptions
  let engine: EngineOptions
  let logger: Logger
  /// Which of the straps that the command line names; without it the first.
  var chosen: StrapArgument?
  var recording: RecordingTarget?
  /// Whether it goes to the history.
  var isStored = true
  /// How long it lasts, in time of the session; without it until it is interrupted.
  var duration: Duration?
  /// How long it is going to last, in its own time, where that is known beforehand and ``duration`` does not say it.
  var expectedLength: Duration?
  /// When it begins by the wall clock, for a simulated session in a series; nil for now, less its head start.
  var started: WallTime?
  /// The reading that the session is for; nil if it is for none. Its result is then the only measurement that is stored.
  var reading: Reading?
  /// Whether a search that finds nothing is left out of the history.
  var isStoredWithDataOnly = false
  /// Whether a session whose time is over without any data is a failure.
  var requiresData = false
  /// How long a strap is looked for before the session fails; nil for ever.
  var searchTime: Duration? = .seconds(30)
  /// Shared with the other sessions of a run.
  var radio = RadioArbiter()
  var manager = ServiceManager.current
  /// Puts marks into the session.
  var attendant: (any MarkSource)?
  /// Returns when the person has had enough.
  var untilQuit: (@Sendable () async -> Void)?

  struct RecordingTarget {
    let path: String
    let replacing: Bool
  }

  /// Makes the sink that shows a session, once what it is about is settled.
  typealias Presentation = @Sendable (SessionPlan, StoreLocation?) -> any SessionSink

  /// The strap, and whose it is, where the command line says.
  var strap: StrapArgument? { chosen ?? source.straps.first }

  var profile: String { strap?.profile?.name ?? store.profileName(configuration) }

  /// Runs the session until its source ends, its time is over, or a signal arrives.
  /// - Throws: What failed, also if only the end of the session could not be stored.
  func run(
    notices: SessionAlerts, present: @escaping Presentation
  ) async throws -> (end: RunEnd, plan: SessionPlan) {
    let outcome = try await outcome(notices: notices, present: present)
    if let failure = outcome.failure { throw failure }
    return (outcome.end, outcome.plan)
  }

  /// Runs the session like ``run(notices:present:)``, but returns what failed, so that results can be printed first.
  /// - Throws: What kept the session from beginning, and errors that are not a ``CommandFailure``, such as ``OutputError/closedPipe``.
  func outcome(notices: SessionAlerts, present: @escaping Presentation) async throws -> SessionOutcome {
    let prepared = try prepare(
      try MeasurementLocks(location: claimLocation), notices: notices, present: present)
    do {
      let end = try await runUntilInterrupted(limit: limit, until: untilQuit) {
        try await prepared.run()
      }
      prepared.learn()
      let failure = requiresData ? prepared.missingData(end, after: limit) : nil
      return SessionOutcome(end: end, plan: prepared.plan, failure: failure)
    } catch {
      guard let failure = CommandFailure(error) else { throw error }
      return SessionOutcome(end: .finished, plan: prepared.plan, failure: failure)
    }
  }

  /// A simulated heart waits for its reader, a real one does not.
  var output: NonblockingOutput { NonblockingOutput(blocks: source.simulate) }

  /// How long the run may take; a simulated strap ends by itself, in its own time.
  var limit: Duration? { source.simulate ? nil : duration }

  /// Where claims are made, also of a session that is not stored.
  var claimLocation: StoreLocation? {
    get throws(HistoryError) {
      isStored
        ? try store.location(configuration, environment) : try? store.location(configuration, environment)
    }
  }

  /// Opens files and makes claims, before the strap is sought: nobody sits still for what cannot be.
  func prepare(
    _ claims: MeasurementLocks, notices: SessionAlerts, companions: ConcurrentSessions = ConcurrentSessions(),
    present: @escaping Presentation
  ) throws -> PreparedSession {
    let location = isStored ? try store.location(configuration, environment) : nil
    let memory = StoredProfile(profile: profile, location: location, notices: notices)
    let plan = SessionPlan(
      profile: profile, source: source.simulate ? .simulated : .strap,
      strap: source.simulate ? SimulatedStrap.identity : nil, settings: engine.settings(configuration),
      baseline: memory.baseline,
      headStart: source.headStart(over: expectedLength ?? duration), started: started)
    companions.add(plan.id)
    if isStored { try claims.claimProfile(plan) }
    // After the claim: a run that cannot be replaces no file.
    let recordingSink = try recording.map {
      try RecordingSink(path: $0.path, replacing: $0.replacing, plan: plan, notices: notices)
    }
    let (interval, isDeferred, manager, reading) = (storeInterval, isStoredWithDataOnly, manager, reading)
    let reception = Reception()
    let makeSinks: @Sendable () -> [any SessionSink] = {
      var sinks: [any SessionSink] = [
        StrapLockSink(claims: claims, plan: plan), ReceptionSink(reception: reception),
      ]
      if let recordingSink { sinks.append(recordingSink) }
      if let location {
        let store = {
          StoreSink(
            plan: plan, location: location, companions: companions.all, every: interval, reading: reading,
            notices: notices)
        }
        sinks.append(isDeferred ? DeferredSink(store) : store())
      }
      if let manager { sinks.append(ServiceSink(manager: manager)) }
      return sinks + [present(plan, location)]
    }
    return PreparedSession(plan: plan, memory: memory, reception: reception) {
      source.simulate
        ? try await runSimulated(plan, makeSinks) : try await runStrap(plan, memory, makeSinks)
    }
  }

  private func runSimulated(
    _ plan: SessionPlan, _ makeSinks: @escaping @Sendable () -> [any SessionSink]
  ) async throws {
    let strap = source.simulated(started: plan.started, duration: duration, attendant: attendant)
    try await run(strap, plan, makeSinks) { nil }
  }

  private func runStrap(
    _ plan: SessionPlan, _ memory: StoredProfile, _ makeSinks: @escaping @Sendable () -> [any SessionSink]
  ) async throws {
    let selection =
      (strap?.strap ?? configuration[.strap]).map { StrapSelection($0) } ?? memory.selection
    let strap = BlueZStrap(
      selection, adapter: source.adapter ?? configuration[.adapter], searchTime: searchTime, radio: radio,
      logger: logger
    ) { memory.remember($0) }
    do {
      try await run(strap, plan, makeSinks) { plan.now }
    } catch let error as StrapError {
      throw memory.straps.failure(error, choosingWith: "live --strap")
    }
  }

  private func run(
    _ source: some HeartRateSource, _ plan: SessionPlan,
    _ makeSinks: @escaping @Sendable () -> [any SessionSink],
    now: @escaping @Sendable () -> (at: SessionTime, wall: WallTime)?
  ) async throws {
    func run(_ source: some HeartRateSource) async throws {
      try await SessionRun(
        source: source, engine: plan.engine, makeSinks: makeSinks, now: now, watchdog: Watchdog(manager),
        attendant: attendant
      ).run()
    }
    guard let attendant else { return try await run(source) }
    try await run(AttendedSource(base: source, attendant: attendant))
  }

  private var storeInterval: Duration { configuration.storeInterval }
}
