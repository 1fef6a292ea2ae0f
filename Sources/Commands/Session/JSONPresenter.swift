import HRV
import HeartRate
import Reports
import Session
import Stress
import Terminal

/// Writes a session to standard output as JSON lines, those of an event as soon as it is processed.
struct JSONPresenter: FinishingSink {
  private let output: NonblockingOutput
  private var lines: SessionUpdateJSON

  init(session: String?, profile: String?, to output: NonblockingOutput) {
    self.output = output
    lines = SessionUpdateJSON(session: session, profile: profile)
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    lines.put(update)
    guard case .processed = update else { return .proceed }
    do { unsafe try lines.json.take { unsafe try output.write($0) } } catch { return .stop(.failed(error)) }
    return .proceed
  }

  func finish() async throws { try output.finish() }
}

/// The JSON lines of the updates of a session.
struct SessionUpdateJSON {
  var json: SessionJSON
  private var event = SessionEvent(at: .zero, .end)

  init(session: String?, profile: String?) { json = SessionJSON(session: session, profile: profile) }

  mutating func put(_ update: SessionUpdate) {
    switch update {
    case .upcoming, .processed: break
    case .event(let event):
      self.event = event
      json.put(event)
    case .part(let part): json.put(part, of: event)
    case .measurement(let measurement): json.put(measurement)
    case .motion(let second): json.put(second, wall: event.wall)
    case .sensorClass(let found): json.sensorClass = found
    }
  }
}
