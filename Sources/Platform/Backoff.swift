/// Exponential back-off: by default 1, 2, 4, ... up to 30 s between attempts. Times and durations are in ns.
package struct Backoff: Equatable, Sendable {
  private let shortest: Int64
  private let longest: Int64
  private var delay: Int64
  private var connectedAt: Int64?

  package init(shortest: Int64 = 1_000_000_000, longest: Int64 = 30_000_000_000) {
    (self.shortest, self.longest, delay) = (shortest, longest, shortest)
  }

  package mutating func connected(at now: Int64) { connectedAt = now }

  /// Records a failure. Returns the time of the next attempt.
  ///
  /// A connection that lasted shorter than the longest delay does not reset the back-off: a server that accepts connections
  /// and closes them would otherwise be contacted every second.
  package mutating func failed(at now: Int64) -> Int64 {
    if let connectedAt, now - connectedAt >= longest { delay = shortest }
    connectedAt = nil
    defer { delay = min(2 * delay, longest) }
    return now + delay
  }

  /// Records a success: the next failure is followed by the shortest delay.
  package mutating func reset() { self = Backoff(shortest: shortest, longest: longest) }
}
