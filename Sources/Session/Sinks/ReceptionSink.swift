import HeartRate
import LiveSession
import Platform

/// Whether a session received data, and the last state of the link.
final class Reception: Sendable {
  private struct State {
    var hasData = false
    var link: LinkChange?
  }

  private let state = Locked(State())

  func update(_ event: SessionEvent) {
    state.withLock { state in
      switch event.kind {
      case .notification: state.hasData = true
      case .link(let change): state.link = change
      default: break
      }
    }
  }

  /// The error of a session that ended after `length` and received no data.
  func error(after length: Duration) -> SessionError? {
    let (hasData, link) = state.withLock { ($0.hasData, $0.link) }
    return hasData ? nil : .noData(after: length, link)
  }
}

/// Updates a ``Reception``.
struct ReceptionSink: SessionSink {
  let reception: Reception

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    if case .event(let event) = update { reception.update(event) }
    return .proceed
  }
}
