package import Platform
import Synchronization

/// Sends watchdog keep-alives to the service manager while events are being processed.
///
/// The task that sends them runs beside the task that processes events, on the same thread if the source has its own: a
/// thread that hangs sends none. On different threads, an event that has been in process since the last keep-alive
/// suppresses the next one. A slow disk suppresses nothing, because writes happen elsewhere and unsaved data would be lost
/// by a restart.
package final class Watchdog: Sendable {
  private let manager: ServiceManager
  private let interval: Duration
  /// Incremented before and after each event: odd while an event is processed.
  private let steps = Atomic<UInt>(0)

  /// Requires a service manager that has a watchdog for this process.
  package init?(_ manager: ServiceManager?) {
    guard let manager, let interval = manager.keepAliveInterval else { return nil }
    self.manager = manager
    self.interval = interval
  }

  func enter() { steps.add(1, ordering: .relaxed) }
  func leave() { steps.add(1, ordering: .relaxed) }

  /// Sends keep-alives until the task is cancelled.
  func sendKeepAlives() async {
    var before: UInt?
    while !Task.isCancelled {
      let now = steps.load(ordering: .relaxed)
      let hangs = now == before && !now.isMultiple(of: 2)
      if !hangs { manager.keepAlive() }
      before = now
      try? await Task.sleep(for: interval)
    }
  }
}
