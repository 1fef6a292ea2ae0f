/// Times at a fixed rate. A late execution does not move the later times.
///
/// In nanoseconds of a clock that does not step and includes suspended time.
package struct FixedRateSchedule: Equatable, Sendable {
  private let start: Int64
  private let period: Int64
  /// Index of the current time; the start is 0.
  package private(set) var index: Int64 = 0

  /// - Parameter period: at least 1 ns.
  package init(start: Int64, period: Duration) {
    let (seconds, attoseconds) = period.components
    self.start = start
    self.period = max(1, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// The current time.
  package var due: Int64 { start + index * period }

  /// Advances to the first later time that is not before `now`.
  /// - Returns: The number of times skipped.
  package mutating func advance(to now: Int64) -> Int {
    let upcoming = max(index + 1, (now - start + period - 1) / period)
    defer { index = upcoming }
    return Int(upcoming - index - 1)
  }

  /// Whether the current time is more than half a period ago, because the machine was suspended.
  package func isMissed(at now: Int64) -> Bool { now - due > period / 2 }
}
