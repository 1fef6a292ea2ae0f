import HeartRate
import Platform
package import Stress

/// The result of a reading. The reading is complete once its length has passed and its window has a stress score.
///
/// ``result`` is the value that is printed and stored.
package final class Reading: Sendable {
  private struct State {
    var firstBeat: SessionTime?
    var collected = 0.0
    var latest: StressMeasurement?
    var isComplete = false
    var sensorClass: SensorClass?
  }

  private let length: Int64
  let requiresCompletion: Bool
  private let state = Locked(State())

  /// - Parameter requiresCompletion: whether an incomplete reading has no result.
  package init(length: Duration, requiresCompletion: Bool = false) {
    self.length = length.ticks
    self.requiresCompletion = requiresCompletion
  }

  /// The latest measurement that has a score. If the sensor is known to give none, it is the latest measurement.
  package var result: StressMeasurement? {
    state.withLock { $0.isComplete || !requiresCompletion ? $0.latest : nil }
  }

  package var isComplete: Bool { state.withLock { $0.isComplete } }

  /// The type of RR intervals that the sensor sends, as soon as it is known.
  package var sensorClass: SensorClass? { state.withLock { $0.sensorClass } }

  /// Length of the reading in seconds.
  package var seconds: Double { SessionTime(ticks: length).seconds }

  /// Time from the first measurement to the last, in seconds, at most the length. Absent before the first measurement.
  package var collected: Double? { state.withLock { $0.firstBeat == nil ? nil : $0.collected } }

  func update(_ found: SensorClass?) { state.withLock { $0.sensorClass = found } }

  /// Adds a measurement. Measurements after completion are ignored.
  func update(_ measurement: StressMeasurement) {
    state.withLock { state in
      guard !state.isComplete else { return }
      let first = state.firstBeat ?? measurement.time
      state.firstBeat = first
      let passed = measurement.time.ticks - first.ticks
      let hasResult = measurement.score != nil || measurement.sensorClass == .smoothed
      // Also discards a score computed before the sensor was classified.
      if hasResult { state.latest = measurement }
      state.isComplete = hasResult && passed >= length
      state.collected = SessionTime(ticks: min(length, passed)).seconds
    }
  }
}
