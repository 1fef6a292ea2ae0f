import HeartRate
import Stress
import Terminal

/// Shows a session as lines of text.
struct LinePresenter: SessionSink {
  private let output = StandardOutput()
  private var state = LiveState()
  private var lines: LiveLine

  init(style: TerminalStyle) { lines = LiveLine(style: style) }

  mutating func take(_ event: SessionEvent) throws {
    guard case .link = event.kind else { return state.update(event) }
    let before = lines.linkLine(state)
    state.update(event)
    guard let line = lines.linkLine(state), line != before else { return }
    try output.line(line)
  }

  mutating func take(_ output: StressEngine.Event) throws {
    state.update(output)
    switch output {
    case .sensor: if let line = lines.sensorLine(state) { try self.output.line(line) }
    case .measurement: if let line = lines.measurementLine(state) { try self.output.line(line) }
    case .notification, .undecodable, .gap, .beat: break
    }
  }

  mutating func finish() async throws {}
}
