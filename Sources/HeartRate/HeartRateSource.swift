/// Where session events come from: a strap over the air, a simulated one, or a recording.
public protocol HeartRateSource: Sendable {
  associatedtype Events: AsyncSequence where Events.Element == SessionEvent

  /// Runs `body` with the events of one session.
  ///
  /// Whatever the source began (a scan, a connection, a subscription) is undone when `body` returns, throws
  /// or is cancelled. The events end when the source has no more; a strap that is out of reach does not end
  /// them. They are for one consumer.
  func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result
}
