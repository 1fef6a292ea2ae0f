import HeartRate
import Platform
import Stress
import Terminal

/// Tells the service manager what the link does, from the first event on: the search runs then.
struct ServiceSink: SessionSink {
  let manager: ServiceManager
  private var isReady = false

  init(manager: ServiceManager) { self.manager = manager }

  mutating func take(_ event: SessionEvent) throws {
    if !isReady {
      isReady = true
      manager.ready()
    }
    if case .link(let change) = event.kind { manager.status(change.line) }
  }

  mutating func finish() async throws {}
}

extension LinkChange {
  /// `connected Polar H10 (C0:FF:EE:00:00:01)`, `lost: the link ended`.
  var line: String {
    let strap = strap.map { " \($0.description.printable)" } ?? ""
    return state.rawValue + strap + (reason.map { ": \($0.printable)" } ?? "")
  }
}
