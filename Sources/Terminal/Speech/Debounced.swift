import HeartRate

/// A value that is believed once it has lasted: what flickers on a border is not told each time.
struct Debounced<Value: Equatable & Sendable>: Sendable {
  private(set) var settled: Value
  private var candidate: (value: Value, since: SessionTime)?
  private let ticks: Int64

  /// - Parameter seconds: How long a new value has to last.
  init(_ value: Value, seconds: Int64) {
    settled = value
    ticks = seconds * RRInterval.ticksPerSecond
  }

  /// Believes `value` at once.
  mutating func settle(on value: Value) { (settled, candidate) = (value, nil) }

  /// True when `value` has lasted by now and differs from what was believed before.
  mutating func settles(on value: Value, at time: SessionTime) -> Bool {
    guard value != settled else {
      candidate = nil
      return false
    }
    guard let candidate, candidate.value == value else {
      candidate = (value, time)
      return false
    }
    guard time.ticks - candidate.since.ticks >= ticks else { return false }
    settled = value
    self.candidate = nil
    return true
  }
}
