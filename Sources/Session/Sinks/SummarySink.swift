package import LiveSession
import Platform
package import Stress

/// The summary of a session so far. It is available during the session, and after it also if the session failed.
package final class SummarySink: SessionSink, Sendable {
  private let summary = Locked(SessionSummary())

  package init() {}

  package var value: SessionSummary { summary.withLock { $0 } }

  package func receive(_ update: SessionUpdate) -> SinkDecision {
    summary.withLock { summary in
      switch update {
      case .event(let event): summary.update(event)
      case .part(let part): summary.update(part)
      case .measurement(let measurement): summary.update(measurement)
      case .sensorClass(let found): summary.update(found)
      case .upcoming, .motion, .ecg, .notice, .processed: break
      }
    }
    return .proceed
  }
}
