import Dispatch
import Platform

/// Delivers events to one target on its own thread. A slow or unreachable target therefore never delays another.
package final class TargetWorker: Sendable {
  struct Shared {
    /// Time without a failure after which a delivery means that the latest error has passed, in ns. Datagrams to a closed
    /// port succeed and fail in turn.
    private static let recoveryTime: Int64 = 5_000_000_000

    var queue = EventQueue()
    var status: TargetStatus
    private var failedAt: Int64 = 0

    init(status: TargetStatus) { self.status = status }

    mutating func failed(_ error: OutletError, at now: Int64) {
      status.lastError = error.message
      failedAt = now
    }

    mutating func delivered(_ count: Int, at now: Int64) {
      guard count > 0 else { return }
      status.delivered += count
      if now - failedAt >= Self.recoveryTime { status.lastError = nil }
    }
  }

  private let shared: Locked<Shared>
  private let wake = WakeUpPipe()
  private let ended = DispatchSemaphore(value: 0)
  private let start: @Sendable (Locked<Shared>, WakeUpPipe) -> Void

  /// - Parameters:
  ///   - target: the name of the target in messages and in the status.
  ///   - perform: performs the commands of the target, on the thread of the target.
  ///   - transport: creates the transport, on the thread that uses it.
  package init<Encoder: OutletEncoder, Transport: OutletTransport & SendableMetatype>(
    target: String, encoder: Encoder, perform: @escaping @Sendable (OutletCommand) -> Void = { _ in },
    transport: @escaping @Sendable () -> Transport
  ) where Encoder.Message == Transport.Message {
    shared = Locked(Shared(status: TargetStatus(target: target)))
    start = { shared, wake in
      var loop = TargetLoop(
        encoder: encoder, transport: transport(), shared: shared, wake: wake, perform: perform)
      loop.run()
    }
  }

  deinit { wake.close() }

  /// Starts the thread.
  package func run() {
    DispatchQueue(label: "stressmon.target").async { [self] in
      start(shared, wake)
      ended.signal()
    }
  }

  /// Adds events. Never waits for the target.
  package func post(_ events: [TimedEvent]) {
    shared.withLock { $0.queue.append(events) }
    wake.notify()
  }

  /// Ends the thread after the events that were added.
  package func finish() {
    shared.withLock { $0.queue.finish() }
    wake.notify()
  }

  /// Waits for the end after ``finish()``. Returns false if the thread is still blocked at the deadline.
  package func waitForEnd(seconds: Double) -> Bool { ended.wait(timeout: .now() + seconds) == .success }

  package var status: TargetStatus {
    shared.withLock { shared in
      var status = shared.status
      status.dropped += shared.queue.dropped
      return status
    }
  }
}

/// The events that one target has not processed. If it is full, the oldest event is dropped.
///
/// Values are complete: those that remain supersede the dropped ones. A dropped beat is counted.
package struct EventQueue: Equatable, Sendable {
  package static let limit = 1024

  private var events: [TimedEvent] = []
  /// Number of events that were dropped.
  package private(set) var dropped = 0
  /// Whether no event follows.
  package private(set) var isFinished = false

  package init() {}

  package mutating func append(_ new: [TimedEvent]) {
    events += new
    let surplus = events.count - Self.limit
    guard surplus > 0 else { return }
    events.removeFirst(surplus)
    dropped += surplus
  }

  package mutating func finish() { isFinished = true }

  /// Removes and returns all events.
  package mutating func takeAll() -> [TimedEvent] {
    defer { events.removeAll(keepingCapacity: events.capacity <= 64) }
    return events
  }
}
