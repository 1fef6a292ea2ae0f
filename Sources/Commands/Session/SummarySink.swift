import HRV
import HeartRate
import Stress
import Synchronization

/// Accumulates the summary of a session while `base` shows it.
struct SummarySink: SessionSink {
  let summary: SharedSummary
  var base: any SessionSink

  mutating func take(_ event: SessionEvent) throws {
    summary.update { $0.update(event) }
    try base.take(event)
  }

  mutating func take(_ part: BeatStream.Event) throws {
    summary.update { $0.update(part) }
    try base.take(part)
  }

  mutating func take(_ measurement: StressMeasurement) throws {
    summary.update { $0.update(measurement) }
    try base.take(measurement)
  }

  mutating func take(_ found: SensorClass) throws {
    summary.update { $0.update(found) }
    try base.take(found)
  }

  mutating func finish() async throws { try await base.finish() }
}

/// The summary of a session, which its command prints after the session, also if the session fails.
final class SharedSummary: Sendable {
  private let summary = Mutex(SessionSummary())
  private let startedPlan = Mutex<SessionPlan?>(nil)

  var value: SessionSummary { summary.withLock { $0 } }

  /// The plan of the session; nil until it starts.
  var plan: SessionPlan? {
    get { startedPlan.withLock { $0 } }
    set { startedPlan.withLock { $0 = newValue } }
  }

  func update(_ change: (inout SessionSummary) -> Void) { summary.withLock { change(&$0) } }
}
