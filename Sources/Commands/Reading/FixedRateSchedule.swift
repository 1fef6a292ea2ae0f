/// Moments at equal distances from a start, whatever happened at the one before: a late one moves none of those after.
///
/// In nanoseconds of a clock that never steps and counts suspended time.
struct FixedRateSchedule: Equatable, Sendable {
  let start: Int64
  let period: Int64
  /// Which moment it is at; the start is 0.
  private(set) var place: Int64 = 0

  /// The moments at and after `start`, `period` apart (at least 1 ns).
  init(start: Int64, period: Duration) {
    let (seconds, attoseconds) = period.components
    self.start = start
    self.period = max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// When the moment is that it is at.
  var due: Int64 { start + place * period }

  /// Goes to the first moment after this one that is not over yet at `now`.
  /// - Returns: how many were passed over.
  mutating func advance(to now: Int64) -> Int {
    let upcoming = max(place + 1, (now - start + period - 1) / period)
    defer { place = upcoming }
    return Int(upcoming - place - 1)
  }

  /// Whether it is too late for this moment, more than half a period: the machine was suspended over it.
  func isOver(at now: Int64) -> Bool { now - due > period / 2 }
}
