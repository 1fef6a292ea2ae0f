/// The state of a ``FleetPublisher``.
package struct FleetPublisherStatus: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case connecting, connected, retrying, closed
  }

  package var state = State.connecting
  /// The latest failure; nil without one, and when nothing waits for another attempt.
  package var lastError: FleetError?
  /// Number of events that were acknowledged since the start.
  package var delivered: Int64 = 0
  /// Number of messages without acknowledgement.
  package var waiting = 0
  /// Number of events of the history that are not acknowledged.
  package var behind: Int64 = 0

  package init() {}
}
