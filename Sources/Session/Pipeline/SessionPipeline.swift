package import HeartRate
import LiveSession
import Platform
package import Stress

/// Processes the events of one session: source, engine, sinks.
///
///     let summary = SummarySink()
///     let pipeline = SessionPipeline(engine: StressEngine(), sinks: [summary])
///     try await pipeline.run(PacedSource(events, pace: .maximum))
///     print(summary.value)
///
/// Live, simulated and replayed sessions use this type. Sinks receive updates in the order of the array.
package final class SessionPipeline: Sendable {
  /// Nil once the session has ended.
  private let state: Locked<State?>
  private let inserter: EventInserter?
  private let watchdog: Watchdog?
  /// Whether the end of the source is the end of the session. False for a replay: a session that was killed has no end
  /// event.
  private let endsSession: Bool

  /// - Parameter watch: derives notices from the updates; the sinks receive them after the update that caused them.
  package init(
    engine: StressEngine, sinks: sending [any SessionSink], watch: SessionWatch? = nil,
    inserter: EventInserter? = nil, watchdog: Watchdog? = nil, endsSession: Bool = true
  ) {
    state = Locked(State(engine: engine, sinks: sinks, watch: watch))
    self.inserter = inserter
    self.watchdog = watchdog
    self.endsSession = endsSession
  }

  /// Processes events until the source ends, a sink stops the session, or the task is cancelled. Finishes every sink in each
  /// of these cases.
  /// - Parameter now: the time of an end event that the source does not produce. The default is the time of the last event.
  /// - Throws: The error of the source, of a sink that stopped the session, or of `finish`; ``SessionErrors`` if there are
  ///   several. Cancellation is not an error.
  package func run(
    _ source: some HeartRateSource,
    now: @escaping @Sendable () -> (at: SessionTime, wall: WallTime)? = { nil }
  ) async throws {
    try await source.withEvents { events in
      await withTaskGroup(of: Void.self) { group in
        if let watchdog { group.addTask { await watchdog.sendKeepAlives() } }
        if let inserter { group.addTask { await self.processInsertions(inserter) } }
        await processAll(events)
        group.cancelAll()
      }
      if endsSession { end(now: now()) }
      // Sinks wait for disks and for readers of the output; the thread of the source must not.
      try await withTaskExecutorPreference(globalConcurrentExecutor) { try await finish() }
    }
  }

  private func processAll<Events: AsyncSequence>(_ events: Events) async
  where Events.Element == SessionEvent {
    do {
      for try await event in events where process(event) { return }
    } catch is CancellationError {
    } catch {
      state.withLock { $0?.fail(error) }
    }
  }

  private func processInsertions(_ inserter: EventInserter) async {
    for await _ in inserter.insertions {
      watchdog?.enter()
      state.withLock { $0?.processInsertions(inserter) }
      watchdog?.leave()
    }
  }

  /// Returns whether the session ends after the event.
  private func process(_ event: SessionEvent) -> Bool {
    watchdog?.enter()
    defer { watchdog?.leave() }
    return state.withLock { state in
      state?.process(event, inserter)
      return state?.isStopped ?? true
    }
  }

  /// Adds an end event unless the source produced one.
  private func end(now: (at: SessionTime, wall: WallTime)?) {
    state.withLock { state in
      guard let last = state.map(\.last), last?.kind != .end else { return }
      let time = max(last?.at ?? .zero, now?.at ?? .zero)
      state?.process(SessionEvent(at: time, wall: now?.wall ?? last?.wall, .end), inserter)
    }
  }

  /// Finishes every sink, also if another one fails. Later events are ignored.
  private func finish() async throws {
    let ended = state.withLock { state in
      defer { state = nil }
      return state
    }
    guard var ended else { return }
    let errors = await ended.finish()
    if errors.count > 1 { throw SessionErrors(all: errors) }
    if let error = errors.first { throw error }
  }
}

extension SessionPipeline {
  /// Defines how an event is processed.
  fileprivate struct State {
    private var engine: StressEngine
    private var sinks: SinkList
    private var watch: SessionWatch?
    private(set) var last: SessionEvent?

    init(engine: StressEngine, sinks: [any SessionSink], watch: SessionWatch?) {
      (self.engine, self.watch) = (engine, watch)
      self.sinks = SinkList(sinks)
    }

    var isStopped: Bool { sinks.isStopped }

    /// Processes an event, and before it the events that sinks insert when they receive it as upcoming.
    mutating func process(_ event: SessionEvent, _ inserter: EventInserter?) {
      if let inserter {
        sinks.send(.upcoming(event))
        for inserted in inserter.removeAll() { process(inserted) }
      }
      process(event)
    }

    /// Processes events that were inserted between two events of the source. None follows the end event.
    mutating func processInsertions(_ inserter: EventInserter) {
      guard last?.kind != .end else { return }
      for inserted in inserter.removeAll() { process(inserted) }
    }

    /// Event times never decrease: an event that arrives late gets the time of the event before it, as in a recording.
    private mutating func process(_ event: SessionEvent) {
      var event = event
      event.at = max(event.at, last?.at ?? event.at)
      last = event
      Self.pass(event, through: &engine, watch: &watch, to: &sinks)
    }

    /// Takes engine and sinks separately, because copying the engine would copy its window for each event.
    private static func pass(
      _ event: SessionEvent, through engine: inout StressEngine, watch: inout SessionWatch?,
      to sinks: inout SinkList
    ) {
      engine.process(event) { update in
        sinks.send(update)
        watch?.update(update) { sinks.send(.notice($0)) }
      }
    }

    mutating func fail(_ error: any Error) { sinks.errors.append(error) }

    /// Returns the errors of the session, including those of finishing the sinks.
    mutating func finish() async -> [any Error] {
      await sinks.finish()
      return sinks.errors
    }
  }

  /// The sinks of a session, and how they stopped it.
  private struct SinkList {
    private var sinks: [any SessionSink]
    private(set) var isStopped = false
    var errors: [any Error] = []

    init(_ sinks: [any SessionSink]) { self.sinks = sinks }

    mutating func send(_ update: SessionUpdate) {
      for index in sinks.indices {
        guard case .stop(let reason) = sinks[index].receive(update) else { continue }
        // Only the first reason is the cause; a sink can repeat it until the session has ended.
        if !isStopped, case .failed(let error) = reason { errors.append(error) }
        isStopped = true
      }
    }

    mutating func finish() async {
      for sink in sinks {
        guard var sink = sink as? any FinishingSink else { continue }
        do { try await sink.finish() } catch { errors.append(error) }
      }
    }
  }
}

/// Several errors of one session, in the order in which they occurred.
package struct SessionErrors: Error {
  package let all: [any Error]
}

/// Inserts events that the source of a session does not produce, such as marks.
///
/// An event that is inserted while a sink receives ``SessionUpdate/upcoming(_:)`` is processed before the upcoming event.
/// Any other event is processed by ``SessionPipeline`` as soon as the current event is done.
package final class EventInserter: Sendable {
  private let pending = Locked<[SessionEvent]>([])
  /// Yields when events were inserted; several insertions may be combined.
  let insertions: AsyncStream<Void>
  private let inserted: AsyncStream<Void>.Continuation

  package init() {
    (insertions, inserted) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func insert(_ events: [SessionEvent]) {
    guard !events.isEmpty else { return }
    pending.withLock { $0 += events }
    inserted.yield()
  }

  /// Removes and returns the events that are not processed yet, in the order of insertion.
  func removeAll() -> [SessionEvent] {
    pending.withLock { pending in
      if pending.isEmpty { return [] }
      defer { pending = [] }
      return pending
    }
  }
}
