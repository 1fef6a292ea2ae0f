import HRV
import HeartRate
import LiveSession
import Stress
import Synchronization

@testable import Session

/// A notification with one RR interval of 1 s at each second, from 1 s on; throws `error` at the end, if it has one.
struct SecondsSource: HeartRateSource {
  var count: Int
  var error: TestError?
  /// Called before each event after the first.
  var between: @Sendable (_ count: Int) -> Void = { _ in }

  static func event(_ second: Int) -> SessionEvent {
    let time = SessionTime(ticks: Int64(second) * RRInterval.ticksPerSecond)
    return SessionEvent(at: time, .notification(payload: [0x10, 60, 0x00, 0x04]))
  }

  func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    try await body(Events(source: self))
  }

  struct Events: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = SessionEvent
    let source: SecondsSource
    private var next = 1

    init(source: SecondsSource) { self.source = source }

    func makeAsyncIterator() -> Events { self }

    mutating func next() async throws -> SessionEvent? {
      if next > 1 { source.between(next - 1) }
      guard next <= source.count else {
        if let error = source.error { throw error }
        return nil
      }
      defer { next += 1 }
      return SecondsSource.event(next)
    }
  }
}

struct TestError: Error, Equatable {
  var number = 0
}

/// A source with the events of a stream.
struct StreamSource: HeartRateSource {
  let stream: AsyncThrowingStream<SessionEvent, any Error>

  func withEvents<Result>(_ body: (AsyncThrowingStream<SessionEvent, any Error>) async throws -> Result)
    async throws -> Result
  { try await body(stream) }
}

/// Collects the updates of a session.
final class Collector: FinishingSink, Sendable {
  private struct State {
    var events: [SessionEvent] = []
    var names: [String] = []
    var finishCount = 0
  }

  private let state = Mutex(State())
  private let decide: @Sendable (SessionUpdate) -> SinkDecision
  private let finishError: TestError?

  init(
    finishError: TestError? = nil,
    decide: @escaping @Sendable (SessionUpdate) -> SinkDecision = { _ in .proceed }
  ) {
    (self.finishError, self.decide) = (finishError, decide)
  }

  var events: [SessionEvent] { state.withLock { $0.events } }
  /// The kinds of updates, in order.
  var names: [String] { state.withLock { $0.names } }
  var finishCount: Int { state.withLock { $0.finishCount } }

  func receive(_ update: SessionUpdate) -> SinkDecision {
    state.withLock { state in
      if case .event(let event) = update { state.events.append(event) }
      state.names.append(update.name)
    }
    return decide(update)
  }

  func finish() async throws {
    state.withLock { $0.finishCount += 1 }
    if let finishError { throw finishError }
  }

  func wait(forEvents count: Int) async {
    while events.count < count { await Task.yield() }
  }
}

extension SessionUpdate {
  var name: String {
    switch self {
    case .upcoming: "upcoming"
    case .motion: "motion"
    case .event: "event"
    case .part(.beat): "beat"
    case .part: "part"
    case .measurement: "measurement"
    case .sensorClass: "sensor"
    case .ecg: "ecg"
    case .notice: "notice"
    case .processed: "processed"
    }
  }

  var isMeasurement: Bool { if case .measurement = self { true } else { false } }
}

extension SessionAlerts {
  /// Alerts that are only read.
  static var silent: SessionAlerts { SessionAlerts(print: nil, warning: { _ in }) }
}
