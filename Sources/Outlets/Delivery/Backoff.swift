/// Exponential back-off: 1, 2, 4, ... up to 30 s between attempts.
package struct Backoff: Equatable, Sendable {
  package static let shortest: Int64 = 1_000_000_000
  package static let longest: Int64 = 30_000_000_000

  private var delay = shortest
  private var connectedAt: Int64?

  package init() {}

  package mutating func connected(at now: Int64) { connectedAt = now }

  /// Records a failure. Returns the time of the next attempt in ns.
  ///
  /// A connection that lasted shorter than the longest delay does not reset the back-off, so that a target that accepts
  /// connections and closes them is not contacted every second.
  package mutating func failed(at now: Int64) -> Int64 {
    if let connectedAt, now - connectedAt >= Self.longest { delay = Self.shortest }
    connectedAt = nil
    defer { delay = min(2 * delay, Self.longest) }
    return now + delay
  }
}
