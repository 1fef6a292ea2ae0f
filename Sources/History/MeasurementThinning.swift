internal import HeartRate
internal import Stress

/// Which measurements are stored: one per `interval` of session time, the same ones whenever the session is
/// replayed.
struct MeasurementThinning: Sendable {
  private let interval: Int64
  private var last: SessionTime?

  init(interval: Duration) { self.interval = interval.ticks }

  /// True for the first measurement that has a score, and for the first one `interval` or more after the last.
  mutating func keeps(_ measurement: StressMeasurement) -> Bool {
    if let last {
      guard measurement.time.ticks - last.ticks >= interval else { return false }
    } else if measurement.score == nil {
      return false
    }
    last = measurement.time
    return true
  }
}
