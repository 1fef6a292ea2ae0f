import HRV
import HeartRate
import Stress

/// Hands a session on, and to the exercise that is led in it.
struct DeskSink: SessionSink {
  let desk: SessionController
  var base: any SessionSink

  mutating func take(_ event: SessionEvent) throws {
    desk.hasPassed(event)
    try base.take(event)
  }

  mutating func take(_ part: BeatStream.Event) throws {
    desk.led?.heart.take(part)
    try base.take(part)
  }

  mutating func take(_ measurement: StressMeasurement) throws {
    desk.led?.heart.take(measurement)
    try base.take(measurement)
  }

  mutating func take(_ found: SensorClass) throws {
    desk.led?.heart.take(found)
    try base.take(found)
  }

  mutating func finish() async throws { try await base.finish() }
}
