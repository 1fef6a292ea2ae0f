import HeartRate
package import History
import LiveSession
import Platform
package import Reports
import Strap
import Stress

/// One session of a run, ready to start: its files are open and its profile is locked.
package struct SessionMember: Sendable {
  /// Creates the sink that displays a session. Called on the thread of the events, before the first event.
  package typealias MakeDisplay = @Sendable (SessionPlan) -> any SessionSink

  package let setup: SessionSetup
  package let plan: SessionPlan
  package let alerts: SessionAlerts
  /// Accumulates the summary during the session.
  package let summary = SummarySink()
  private let written = SessionStorage()
  private let profile: StoredProfile
  private let locks: MeasurementLocks
  private let recording: RecordingSink?
  private let reception = Reception()
  private let makeDisplay: MakeDisplay
  private let source: BlueZStrap?

  /// Locks the profile and creates the recording, in this order: a session that cannot start must not replace a file.
  init(
    _ setup: SessionSetup, locks: MeasurementLocks, alerts: SessionAlerts, display: @escaping MakeDisplay
  ) throws {
    profile = StoredProfile(
      setup.profile, location: setup.history, isStored: setup.isStored, alerts: alerts)
    let plan = SessionPlan(setup, baseline: profile.baseline)
    if setup.store != nil { try locks.lockProfile(setup.profile) }
    recording = try setup.recording.map { try RecordingSink($0, plan: plan, alerts: alerts) }
    source = if case .strap(let strap) = setup.source { strap.source(profile) } else { nil }
    (self.setup, self.plan, self.locks, self.alerts, makeDisplay) = (setup, plan, locks, alerts, display)
  }

  /// Runs the session until its source ends, a sink stops it, or the task is cancelled.
  /// - Parameter concurrent: the sessions of the run.
  func run(_ concurrent: [SessionID]) async throws {
    let pipeline = SessionPipeline(
      engine: plan.engine, sinks: makeSinks(concurrent),
      watch: makeWatch(), inserter: setup.controller?.inserter,
      watchdog: Watchdog(setup.serviceManager))
    switch setup.source {
    case .simulated(let simulated):
      try await pipeline.run(
        simulated.source(started: plan.started, duration: setup.duration, controller: setup.controller))
    case .strap:
      guard let source else { return }
      do {
        try await pipeline.run(source) { [plan] in plan.now }
      } catch let error as StrapError {
        throw SessionError.strap(error, remembered: profile.straps)
      }
    case .lines(let lines):
      do {
        try await lines.run(
          plan, duration: setup.duration, warn: { [alerts] in alerts.warn($0) },
          {
            switch $0 {
            case .live(let live): try await pipeline.run(live) { [plan] in plan.now }
            case .file(let file): try await pipeline.run(file)
            }
          })
      } catch let error as SourceError {
        throw SessionError.source(error)
      }
    }
  }

  /// How much of the session is in the history so far; the final outcome after the run.
  package var storage: StorageOutcome { setup.store == nil ? .declined : written.outcome }

  /// The result of the session after its end, if one was measured.
  package var result: SessionResult? { written.result }

  /// The result of the exercise that the session consists of.
  package var exercise: BreathingResult? { if case .exercise(let result) = result { result } else { nil } }

  /// The result of the morning reading that the session consists of.
  package var morning: MorningResult? { if case .morning(let result) = result { result } else { nil } }

  /// The nights of the session, if it was recorded as a night.
  package var nights: SessionNights? { if case .night(let result) = result { result } else { nil } }

  /// Stores an exercise during the session, unless the history does not contain the session.
  package func store(exercise: BreathingResult) throws(HistoryError) {
    guard let location = setup.store, storage.hasSession else { return }
    try SessionResult.exercise(exercise).store(in: location)
  }

  /// Keeps the result of the session, and stores it unless the history does not contain the session.
  func finish(_ result: SessionResult) throws(HistoryError) { try written.finish(result, in: setup.store) }

  /// Marks moments of the session. An exercise uses marks for its stages, so users cannot add any.
  private var marker: SessionMarker? {
    setup.controller.flatMap { controller in
      controller.isExerciseSession ? nil : SessionMarker(controller, plan, history: setup.store)
    }
  }

  private func makeSinks(_ concurrent: [SessionID]) -> [any SessionSink] {
    var sinks: [any SessionSink] = [
      StrapLockSink(locks: locks, profile: setup.profile), ReceptionSink(reception: reception),
    ]
    if let source { sinks.append(ReplacementSink(replacement: source.replacement)) }
    if let controller = setup.controller { sinks.append(controller) }
    if let recording { sinks.append(recording) }
    if let history = setup.store {
      let (setup, plan, written, alerts) = (setup, plan, written, alerts)
      let store = {
        StoreSink(
          plan: plan, location: history, concurrent: concurrent, every: setup.storeInterval,
          reading: setup.reading, storage: written, alerts: alerts)
      }
      sinks.append(setup.isStoredWithDataOnly ? DeferredSink(store) : store())
    }
    if let measure = setup.result { sinks.append(ResultSink(member: self, measure: measure)) }
    if let manager = setup.serviceManager { sinks.append(ServiceSink(manager: manager)) }
    if let warn = setup.warnOfLowBattery { sinks.append(BatterySink(warn: warn)) }
    if let announce = setup.announce { sinks.append(NoticeSink(member: self, announce: announce)) }
    if let directory = setup.feed,
      let feed = FeedSink(plan, in: directory, store: setup.store, marker: marker, alerts: alerts)
    {
      sinks.append(feed)
      if let serve = setup.serve { sinks.append(serve(self, marker)) }
    }
    return sinks + [summary, makeDisplay(plan)]
  }

  /// Prompts require a stored session, because their limits and answers are in the history, and a normal range.
  private func makeWatch() -> SessionWatch? {
    let settings = setup.notices
    guard settings != NoticeSettings() else { return nil }
    var prompts: PromptWatch?
    if let permitted = settings.prompts, let location = setup.store {
      prompts = profile.promptRule.map {
        PromptWatch($0, quiet: permitted.quiet, desk: PromptDesk(plan, at: location))
      }
    }
    return SessionWatch(settings, prompts: prompts)
  }

  /// The error of a session whose duration is over and that received no data, if data are required.
  func missingData(_ end: RunEnd) -> SessionError? {
    guard setup.requiresData, end == .timeOver, let limit = setup.limit,
      let error = reception.error(after: limit)
    else { return nil }
    if case .lines(let source) = setup.source { return .source(.empty(source.name)) }
    return error
  }

  /// Updates the baseline for the next session.
  func updateBaseline() {
    do { try profile.updateBaseline() } catch {
      alerts.warn("the baseline was not updated: \(error)")
    }
  }
}

/// Requests PPI from a strap whose RR intervals are smoothed.
private struct ReplacementSink: SessionSink {
  let replacement: IntervalReplacement

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    if case .sensorClass(.smoothed) = update { replacement.request() }
    return .proceed
  }
}
