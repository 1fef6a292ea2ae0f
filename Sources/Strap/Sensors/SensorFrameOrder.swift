import HeartRate

/// Drops the duplicates of sensor frames and holds frames back while earlier notifications are undecided.
///
/// BlueZ signals each value once per subscriber. A frame carries the strap's time, so a frame that equals the previous one of
/// its stream is a duplicate.
struct SensorFrameOrder<Stamp: Sendable>: Sendable {
  struct Frame: Sendable {
    var payload: [UInt8]
    /// Nanoseconds of a monotonic clock.
    var arrival: Int64
    var stamp: Stamp
  }

  private var latest: [UInt8: [UInt8]] = [:]
  private var held: [Frame] = []

  /// Whether no frame is held.
  var isEmpty: Bool { held.isEmpty }

  /// Accepts a frame; false for a duplicate.
  mutating func receive(_ frame: Frame) -> Bool {
    let type = frame.payload.first ?? 0
    guard latest[type] != frame.payload else { return false }
    latest[type] = frame.payload
    held.append(frame)
    return true
  }

  /// Removes and returns the held frames up to `arrival`; all for nil.
  mutating func release(until arrival: Int64?) -> [Frame] {
    guard !held.isEmpty else { return [] }
    let count = arrival.map { limit in held.prefix { $0.arrival <= limit }.count } ?? held.count
    defer { held.removeFirst(count) }
    return Array(held.prefix(count))
  }
}
