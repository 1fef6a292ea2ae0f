internal import Glibc
package import History
internal import Platform

/// Publishes the sessions of the participants from the history to JetStream, and continues after interruptions where it stopped.
///
/// One thread calls ``run(isStopped:)``. Another one may read ``status``.
package final class FleetPublisher: Sendable {
  private let server: NatsURL
  private let participants: Participants
  private let receiver: FleetCode
  private let location: StoreLocation
  private let endsWhenCaughtUp: Bool
  private let secrets = MessageSecrets()
  /// By the name of the profile.
  private let sealers: [String: MessageSealer]
  private let current = Locked(FleetPublisherStatus())

  /// - Parameter endsWhenCaughtUp: ends when all that the history contains was acknowledged, and at an error that only the
  ///   user can correct.
  package init(
    _ server: NatsURL, _ participants: Participants, receiver: FleetCode, location: StoreLocation,
    endsWhenCaughtUp: Bool
  ) {
    (self.server, self.participants, self.receiver) = (server, participants, receiver)
    (self.location, self.endsWhenCaughtUp) = (location, endsWhenCaughtUp)
    sealers = participants.byProfile.compactMapValues { $0.ticket.map(MessageSealer.init) }
  }

  package var status: FleetPublisherStatus { current.withLock(\.self) }

  /// Publishes until `isStopped`, which is called every 100 ms.
  /// - Throws: ``FleetError`` only with `endsWhenCaughtUp`, if the server refuses the credentials or an operation, or if the
  ///   stream does not exist. Other errors are retried after 1, 2, 4, ... and at most 30 s.
  package func run(isStopped: () -> Bool) throws(FleetError) {
    defer { current.withLock { $0.state = .closed } }
    var backoff = Backoff()
    while !isStopped() {
      backoff.connected(at: SystemClock.boot)
      do throws(FleetError) {
        try publish(isStopped)
        return
      } catch {
        current.withLock { ($0.state, $0.lastError, $0.waiting) = (.retrying, error, 0) }
        if endsWhenCaughtUp, error.requiresUserAction { throw error }
      }
      wait(until: backoff.failed(at: SystemClock.boot), isStopped)
    }
  }

  private func wait(until deadline: Int64, _ isStopped: () -> Bool) {
    while SystemClock.boot < deadline, !isStopped() { usleep(100_000) }
  }

  /// Publishes through one connection, until all is published or until it is stopped.
  private func publish(_ isStopped: () -> Bool) throws(FleetError) {
    let stream = try JetStream(server, role: .receiver(receiver), name: receiver.text)
    // An operation that is not permitted times out, because the server does not answer it.
    try stream.namingViolations { () throws(FleetError) in
      guard let state = try stream.stream(server.stream) else { throw stream.missingStream }
      var run = try PublishingRun(
        stream: stream, state: state, participants: participants, receiver: receiver, secrets: secrets,
        sealers: sealers, location: location, status: current, endsWhenCaughtUp: endsWhenCaughtUp)
      try run.run(isStopped)
    }
  }
}

/// The state of a ``FleetPublisher``.
package struct FleetPublisherStatus: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case connecting, connected, retrying, closed
  }

  package var state = State.connecting
  /// The latest failure, as long as something waits for another attempt.
  package var lastError: FleetError?
  /// Number of events that were acknowledged since the start.
  package var delivered: Int64 = 0
  /// Number of messages without acknowledgement.
  package var waiting = 0
  /// Number of events of the history that are not acknowledged.
  package var behind: Int64 = 0

  package init() {}
}
