import Platform
import Synchronization

/// Says to the service manager that a session gets on, as long as it does.
///
/// The pulse comes from a task beside the one that takes the events, on the same thread where the source has one of its
/// own: a thread that hangs sends none. Where they have different threads, an event that is still being taken since
/// the pulse before holds it back. A disk that does not answer holds back nothing: what waits for it is kept in memory,
/// which a restart would lose.
final class Watchdog: Sendable {
  private let manager: ServiceManager
  private let interval: Duration
  /// Goes up at the beginning and at the end of each event, so that it is odd within one.
  private let steps = Atomic<UInt>(0)

  /// Nil where nobody wants to hear.
  init?(_ manager: ServiceManager?) {
    guard let manager, let interval = manager.keepAliveInterval else { return nil }
    self.manager = manager
    self.interval = interval
  }

  func enter() { steps.add(1, ordering: .relaxed) }
  func leave() { steps.add(1, ordering: .relaxed) }

  /// Runs `body`, and sends pulses until it returns.
  func watch(_ body: () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.keepAlive() }
      await body()
      group.cancelAll()
    }
  }

  private func keepAlive() async {
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
