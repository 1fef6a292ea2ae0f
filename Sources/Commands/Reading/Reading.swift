import HeartRate
import Stress
import Synchronization

/// A reading that is being taken. It is complete once its length has passed and its window has a score.
///
/// ``result`` is the one value that is printed and stored.
final class Reading: Sendable {
  private struct State {
    var firstBeat: SessionTime?
    var latest: StressMeasurement?
    var isComplete = false
    var sensorClass: SensorClass?
  }

  private let length: Int64
  private let isWhole: Bool
  private let state = Mutex(State())

  /// - Parameter isWhole: Whether only a complete reading has a result.
  init(length: Duration, isWhole: Bool = false) {
    self.length = length.ticks
    self.isWhole = isWhole
  }

  /// The latest measurement that has a score, or whose sensor is known to give none; nil before the first, and before the
  /// reading is complete if only complete readings count.
  var result: StressMeasurement? {
    state.withLock { $0.isComplete || !isWhole ? $0.latest : nil }
  }

  /// Length of the reading.
  var seconds: Double { SessionTime(ticks: length).seconds }

  var isComplete: Bool { state.withLock { $0.isComplete } }

  /// What kind of intervals the sensor sends, once that is known.
  var sensorClass: SensorClass? { state.withLock { $0.sensorClass } }

  func take(_ found: SensorClass) { state.withLock { $0.sensorClass = found } }

  /// Takes a measurement; returns the fraction of the length that has passed, 0 to 1.
  func take(_ measurement: StressMeasurement) -> Double {
    state.withLock { state in
      let first = state.firstBeat ?? measurement.time
      state.firstBeat = first
      let passed = measurement.time.ticks - first.ticks
      let hasResult = measurement.score != nil || measurement.sensorClass == .smoothed
      // Also discards a score from before the sensor was classified.
      if hasResult { state.latest = measurement }
      state.isComplete = hasResult && passed >= length
      return min(1, Double(passed) / Double(length))
    }
  }
}
