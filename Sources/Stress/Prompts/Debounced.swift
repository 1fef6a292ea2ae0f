package import HeartRate

/// A debounced value: changes only after a new value has been stable for some time.
package struct Debounced<Value: Equatable & Sendable>: Sendable {
  package private(set) var settled: Value
  private var candidate: (value: Value, since: SessionTime)?
  private let ticks: Int64

  /// - Parameter seconds: Time for which a new value has to be stable.
  package init(_ value: Value, seconds: Int64) {
    settled = value
    ticks = seconds * RRInterval.ticksPerSecond
  }

  /// Accepts `value` immediately.
  package mutating func set(_ value: Value) { (settled, candidate) = (value, nil) }

  /// Updates the value. Returns true when a new value has been stable for long enough.
  package mutating func update(to value: Value, at time: SessionTime) -> Bool {
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
