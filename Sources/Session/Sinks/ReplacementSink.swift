import LiveSession
import Strap
import Stress

/// Requests PPI from a strap whose RR intervals are smoothed.
struct ReplacementSink: SessionSink {
  let replacement: IntervalReplacement

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    if case .sensorClass(.smoothed) = update { replacement.request() }
    return .proceed
  }
}
