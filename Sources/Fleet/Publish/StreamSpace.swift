/// Whether a stream has space for further messages.
///
/// A full stream rejects messages (discard policy "new"), but nats-server 2.9 compares its size with the limit without the
/// overhead of the next message, and then removes the oldest messages of a stream that exceeds the limit by this overhead.
/// Publishing therefore pauses below the limit: the last twentieth of a stream, at least 64 MB or half of a smaller stream,
/// remains empty.
struct StreamSpace {
  /// In ns.
  private static let interval: Int64 = 5_000_000_000
  /// The interval for a stream without limit, in ns: one can be set later.
  private static let intervalWithoutLimit: Int64 = 60_000_000_000
  /// In bytes.
  private static let longestStep: Int64 = 4 << 20

  private static let smallestReserve: Int64 = 64 << 20

  private var limit: Int64?
  private(set) var isFull = false
  private var nextCheck: Int64
  /// The number of bytes that may be published before the next check.
  private var allowance: Int64

  init(_ state: StreamState, at now: Int64) {
    (nextCheck, allowance) = (now, 0)
    update(state, at: now)
  }

  /// Whether the state of the stream must be requested before the next message.
  func needsCheck(at now: Int64) -> Bool { now >= nextCheck || (limit != nil && allowance <= 0) }

  mutating func update(_ state: StreamState, at now: Int64) {
    limit = state.limits.bytes
    nextCheck = now + (limit == nil ? Self.intervalWithoutLimit : Self.interval)
    guard let limit else {
      isFull = false
      return
    }
    let reserve = max(limit / 20, min(limit / 2, Self.smallestReserve))
    isFull = Int64(clamping: state.bytes) > limit - reserve
    // Up to 64 publishers that request the state at the same time do not use up the reserve.
    allowance = min(Self.longestStep, reserve / 64)
  }

  mutating func published(_ bytes: Int) { allowance -= Int64(bytes) }
}
