import Synchronization

/// Notifies any number of tasks of a change. Changes that occur while a task is busy are combined.
package final class ChangeSignal: Sendable {
  private struct State {
    var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextID = 0
  }

  private let state = Mutex(State())

  package init() {}

  package func notify() {
    for waiter in state.withLock({ Array($0.waiters.values) }) { waiter.yield() }
  }

  /// Yields after each change from now on.
  package func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      state.waiters[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.waiters[id] = nil }
    }
    return stream
  }

  /// Waits for a change until `limit` is over. Returns early, without an error, if the task is cancelled.
  package func wait(atMost limit: Duration) async {
    let changes = changes()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in changes { return } }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }
}
