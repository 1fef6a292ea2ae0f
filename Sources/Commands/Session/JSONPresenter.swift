import HRV
import HeartRate
import LiveSession
import Reports
import Session
import Stress
import Terminal

/// Writes a session to standard output as JSON lines, those of an event as soon as it is processed.
struct JSONPresenter: FinishingSink {
  private let output: NonblockingOutput
  private var lines: SessionLineEncoder

  init(session: String?, profile: String?, to output: NonblockingOutput) {
    self.output = output
    lines = SessionLineEncoder(session: session, profile: profile)
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    lines.put(update)
    guard case .processed = update else { return .proceed }
    do { unsafe try lines.take { unsafe try output.write($0) } } catch { return .stop(.failed(error)) }
    return .proceed
  }

  func finish() async throws { try output.finish() }
}
