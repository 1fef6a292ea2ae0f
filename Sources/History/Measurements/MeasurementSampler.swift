package import HeartRate
package import Stress

/// Which measurements of a session are stored.
package enum MeasurementSampling: Equatable, Sendable {
  /// The first measurement with the data that a stress value requires, then one per interval of session time. Sensors that
  /// average RR intervals have no stress value, but a heart rate.
  case every(Duration)
  /// Only the readings that are appended explicitly.
  case readingsOnly
}

/// A measurement to store.
package struct MeasurementSample: Sendable {
  package var measurement: StressMeasurement
  /// Whether it is the result of a reading.
  package var isReading = false
  /// Whether its window contains paced breathing.
  package var isPaced = false
}

/// Selects the measurements to store from the events of a session. Equal events give equal samples, live or replayed.
package struct MeasurementSampler: Sendable {
  private let sampling: MeasurementSampling
  private var pacing = PacingObserver()
  private var last: SessionTime?

  package init(_ sampling: MeasurementSampling) { self.sampling = sampling }

  /// Processes the next event of the session, before the measurements that follow from it.
  package mutating func update(_ event: SessionEvent) { pacing.update(event) }

  /// Returns the sample to store for the next measurement, if it is due.
  package mutating func sample(_ measurement: StressMeasurement) -> MeasurementSample? {
    guard case .every(let interval) = sampling, isDue(measurement, interval) else { return nil }
    last = measurement.time
    return MeasurementSample(measurement: measurement, isPaced: pacing.overlaps(measurement))
  }

  /// Returns the sample of a reading, which is always stored.
  func reading(_ measurement: StressMeasurement) -> MeasurementSample {
    MeasurementSample(measurement: measurement, isReading: true, isPaced: pacing.overlaps(measurement))
  }

  private func isDue(_ measurement: StressMeasurement, _ interval: Duration) -> Bool {
    guard let last else { return measurement.hasRequiredData }
    return measurement.time.ticks - last.ticks >= interval.ticks
  }
}

/// Observes the marks of paced breathing in a session.
private struct PacingObserver: Sendable {
  private var isPacing = false
  private var end: SessionTime?

  mutating func update(_ event: SessionEvent) {
    guard case .mark(let text) = event.kind, let mark = BreathingMark(rawValue: text) else { return }
    isPacing = mark == .begins
    if mark == .ends { end = event.at }
  }

  /// Whether the window of `measurement`, the latest of the session, contains paced breathing.
  func overlaps(_ measurement: StressMeasurement) -> Bool {
    guard !isPacing, let end else { return isPacing }
    let window = Int64(measurement.window * Double(RRInterval.ticksPerSecond))
    return end.ticks > measurement.time.ticks - window
  }
}
