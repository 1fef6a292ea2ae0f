import HRV
import HeartRate
import Reports
import Session
import Stress
import Terminal

/// Writes a session to standard output as JSON lines, each immediately.
struct JSONPresenter: FinishingSink {
  private let output: NonblockingOutput
  private var json: SessionJSON
  private var event = SessionEvent(at: .zero, .end)

  init(session: String?, profile: String?, to output: NonblockingOutput) {
    self.output = output
    json = SessionJSON(session: session, profile: profile)
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    switch update {
    case .upcoming: return .proceed
    case .event(let event):
      self.event = event
      json.put(event)
    case .part(let part): json.put(part, of: event)
    case .measurement(let measurement): json.put(measurement)
    case .motion(let second): json.put(second, wall: event.wall)
    case .sensorClass(let found):
      json.sensorClass = found
      return .proceed
    }
    do { unsafe try json.take { unsafe try output.write($0) } } catch { return .stop(.failed(error)) }
    return .proceed
  }

  func finish() async throws { try output.finish() }
}
