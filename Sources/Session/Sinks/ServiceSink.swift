package import HeartRate
import LiveSession
import Platform

/// Reports the state of the link to the service manager. Start-up is complete at the first event, when scanning begins.
struct ServiceSink: SessionSink {
  let manager: ServiceManager
  private var isReady = false

  init(manager: ServiceManager) { self.manager = manager }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    guard case .event(let event) = update else { return .proceed }
    if !isReady { manager.ready() }
    isReady = true
    if case .link(let change) = event.kind { manager.status(change.statusLine) }
    return .proceed
  }
}

extension LinkChange {
  /// `connected Polar H10 (C0:FF:EE:00:00:01)`, `lost: the link ended`. Control characters of the strap's name are not
  /// escaped.
  package var statusLine: String {
    state.rawValue + (strap.map { " \($0)" } ?? "") + (reason.map { ": \($0)" } ?? "")
  }
}
