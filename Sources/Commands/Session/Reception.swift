import HeartRate
import Synchronization
import Terminal

/// What a session received from its strap: whether any data arrived, and the last state of the link.
final class Reception: Sendable {
  private struct State {
    var hasData = false
    var link: LinkChange?
  }

  private let state = Mutex(State())

  func take(_ event: SessionEvent) {
    state.withLock { state in
      switch event.kind {
      case .notification: state.hasData = true
      case .link(let change): state.link = change
      default: break
      }
    }
  }

  /// The failure of a session that ended after `length` without having received anything; nil where it received data.
  func failure(after length: Duration) -> CommandFailure? {
    let (hasData, link) = state.withLock { ($0.hasData, $0.link) }
    guard !hasData else { return nil }
    let attempt =
      if let strap = link?.strap {
        link?.state == .connecting ? "connecting to \(strap)" : "the link to \(strap)"
      } else {
        "the search for a strap"
      }
    let reason = link?.reason.map { " (\($0))" } ?? ""
    return CommandFailure(
      .noStrap,
      """
      no heart-rate data were received within \(length.shortText): \(attempt.printable) brought none\(reason.printable). \
      Wear the strap with moist electrodes, and allow at least 30s (--duration 30s), or find the cause with: stressmon doctor
      """)
  }
}

/// Passes what arrives to a ``Reception``.
struct ReceptionSink: SessionSink {
  let reception: Reception

  mutating func take(_ event: SessionEvent) throws { reception.take(event) }
  mutating func finish() async throws {}
}
