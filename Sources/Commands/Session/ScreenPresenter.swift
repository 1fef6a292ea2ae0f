import HRV
import HeartRate
import Stress
import Terminal

/// Shows a session in its block of the screen.
struct ScreenPresenter: SessionSink {
  let screen: Screen
  let place: Int

  mutating func take(_ event: SessionEvent) throws {
    screen.update(place) { $0.update(event) }
    try screen.draw(always: false)
  }

  mutating func take(_ part: BeatStream.Event) throws { screen.update(place) { $0.update(part) } }

  mutating func take(_ measurement: StressMeasurement) throws {
    screen.update(place) { $0.update(measurement) }
    try screen.draw(always: false)
  }

  mutating func take(_ found: SensorClass) throws { screen.update(place) { $0.update(found) } }

  mutating func finish() async throws { try screen.finish(place) }
}
