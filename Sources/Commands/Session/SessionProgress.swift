import HRV
import HeartRate
import Stress
import Synchronization

/// The moving part of a run: takes events, one after another, whoever brings them.
final class SessionProgress: Sendable {
  /// Nil once the session is over.
  private let state: Mutex<State?>
  private let watchdog: Watchdog?

  init(engine: StressEngine, sinks: sending [any SessionSink], watchdog: Watchdog?) {
    state = Mutex(State(engine: engine, sinks: sinks))
    self.watchdog = watchdog
  }

  /// Takes all events. That the run was cancelled is a way to end, not an error.
  func consume<Events: AsyncSequence>(_ events: Events) async where Events.Element == SessionEvent {
    do {
      for try await event in events { try take(event) }
    } catch is CancellationError {
    } catch is SessionComplete {
    } catch {
      state.withLock { $0?.failures.append(error) }
    }
  }

  /// Takes an event that the source does not know of. Nothing comes after the end.
  func insert(_ event: SessionEvent) {
    watchdog?.enter()
    defer { watchdog?.leave() }
    state.withLock { state in
      guard state?.last?.kind != .end else { return }
      do { try state?.take(event) } catch { state?.failures.append(error) }
    }
  }

  private func take(_ event: SessionEvent) throws {
    watchdog?.enter()
    defer { watchdog?.leave() }
    try state.withLock { try $0?.take(event) }
  }

  /// Ends a session whose source did not say that it is over. What fails does not keep it from being put in order.
  func end(now: (at: SessionTime, wall: WallTime)?) {
    state.withLock { state in
      guard state?.last?.kind != .end else { return }
      let last = state?.last
      let event = SessionEvent(
        at: max(last?.at ?? .zero, now?.at ?? .zero), wall: now?.wall ?? last?.wall, .end)
      do { try state?.take(event) } catch { state?.failures.append(error) }
    }
  }

  /// Finishes every sink, whatever becomes of the others. Nothing more is taken.
  /// - Throws: The failure; a ``CommandFailure`` that contains all of them where there are several. A closed pipe is
  ///   thrown only if nothing else failed.
  func finish() async throws {
    let closed = state.withLock { state in
      let last = state
      state = nil
      return last
    }
    guard var closed else { return }
    await closed.finishSinks()
    if closed.failures.count == 1 { throw closed.failures[0] }
    let told = closed.failures.compactMap { CommandFailure($0) }
    if let failure = CommandFailure(all: told) ?? closed.failures.first { throw failure }
  }
}

extension SessionProgress {
  fileprivate struct State {
    var engine: StressEngine
    var sinks: [any SessionSink]
    var last: SessionEvent?
    var failures: [any Error] = []

    init(engine: StressEngine, sinks: [any SessionSink]) {
      self.engine = engine
      self.sinks = sinks
    }

    /// An event that was overtaken by another has happened when that one had: the order in which they come is the order
    /// in which they are kept, and a recording is read by the same rule.
    mutating func take(_ event: SessionEvent) throws {
      var event = event
      event.at = max(event.at, last?.at ?? event.at)
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

    mutating func finishSinks() async {
      for index in sinks.indices {
        do { try await sinks[index].finish() } catch { failures.append(error) }
      }
    }
  }
}
