/// A source of session events: a strap, a simulator or a recording.
public protocol HeartRateSource: Sendable {
  associatedtype Events: AsyncSequence where Events.Element == SessionEvent

  /// Runs `body` with the events of one session.
  ///
  /// The source releases what it acquired (scan, connection, subscription) when `body` returns, throws or is
  /// cancelled. The sequence ends when the source is exhausted; an unreachable strap does not end it. It
  /// supports one consumer.
  func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result
}
