import HRV
import HeartRate
import Reports
import Stress

/// Writes a session to standard output as lines of JSON, each at once.
struct JSONPresenter: SessionSink {
  private let output: NonblockingOutput
  private var json: SessionJSON
  private var event = SessionEvent(at: .zero, .end)

  init(session: String?, profile: String?, to output: NonblockingOutput) {
    self.output = output
    json = SessionJSON(session: session, profile: profile)
  }

  mutating func take(_ event: SessionEvent) throws {
    self.event = event
    json.put(event)
    try flush()
  }

  mutating func take(_ part: BeatStream.Event) throws {
    json.put(part, of: event)
    try flush()
  }

  mutating func take(_ measurement: StressMeasurement) throws {
    json.put(measurement)
    try flush()
  }

  mutating func take(_ found: SensorClass) throws { json.sensorClass = found }

  mutating func finish() async throws { try output.finish() }

  private mutating func flush() throws { try json.take { try output.write($0) } }
}
