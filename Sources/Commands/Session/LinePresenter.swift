import HRV
import HeartRate
import Stress
import Terminal

/// Shows a session as lines of text.
struct LinePresenter: SessionSink {
  private let output: NonblockingOutput
  private var state = LiveState()
  private var lines: LiveLine

  init(style: TerminalStyle, label: String? = nil, to output: NonblockingOutput) {
    self.output = output
    lines = LiveLine(style: style, label: label)
  }

  mutating func take(_ event: SessionEvent) throws {
    guard case .link = event.kind else { return state.update(event) }
    let before = lines.linkLine(state)
    state.update(event)
    guard let line = lines.linkLine(state), line != before else { return }
    try output.line(line)
  }

  mutating func take(_ part: BeatStream.Event) throws { state.update(part) }

  mutating func take(_ measurement: StressMeasurement) throws {
    state.update(measurement)
    if let line = lines.measurementLine(state) { try output.line(line) }
  }

  mutating func take(_ found: SensorClass) throws {
    state.update(found)
    if let line = lines.sensorLine(state) { try output.line(line) }
  }

  mutating func finish() async throws { try output.finish() }
}
