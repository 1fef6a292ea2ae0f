import HeartRate
import LiveSession

/// Calls a closure at the first low level of the strap's battery.
struct BatterySink: SessionSink {
  private var watch = BatteryWatch()
  private let warn: @Sendable (BatteryLevel) -> Void

  init(warn: @escaping @Sendable (BatteryLevel) -> Void) { self.warn = warn }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    if case .event(let event) = update, case .battery(let level) = event.kind, watch.update(level) {
      warn(level)
    }
    return .proceed
  }
}
