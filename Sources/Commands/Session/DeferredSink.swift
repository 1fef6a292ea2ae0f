import HRV
import HeartRate
import Stress

/// Makes its sink when the first notification comes, and gives it all that came before: a search that finds nothing
/// leaves no trace there.
struct DeferredSink: SessionSink {
  private let make: () -> any SessionSink
  private var sink: (any SessionSink)?
  private var waiting: [SessionEvent] = []

  init(_ make: @escaping () -> any SessionSink) { self.make = make }

  mutating func take(_ event: SessionEvent) throws {
    if sink != nil { return try sink?.take(event) ?? () }
    waiting.append(event)
    guard case .notification = event.kind else { return }
    var made = make()
    for event in waiting { try made.take(event) }
    sink = made
    waiting = []
  }

  mutating func take(_ part: BeatStream.Event) throws { try sink?.take(part) }
  mutating func take(_ measurement: StressMeasurement) throws { try sink?.take(measurement) }
  mutating func take(_ found: SensorClass) throws { try sink?.take(found) }
  mutating func finish() async throws { try await sink?.finish() }
}
