/// Notifies any number of tasks of a change. Changes that occur while a task is busy are combined.
package final class ChangeSignal: Sendable {
  private struct State {
    var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextID = 0
    var isFinished = false
  }

  private let state = Locked(State())

  package init() {}

  package func notify() {
    for waiter in state.withLock({ Array($0.waiters.values) }) { waiter.yield() }
  }

  /// Yields after each change from now on, until ``finish()``. Each stream has one consumer.
  package func changes(yieldsImmediately: Bool = false) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> Int? in
      guard !state.isFinished else { return nil }
      defer { state.nextID += 1 }
      state.waiters[state.nextID] = continuation
      return state.nextID
    }
    if yieldsImmediately { continuation.yield() }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.waiters.removeValue(forKey: id) }
    }
    return stream
  }

  /// Ends all streams.
  package func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.finish() }
  }

  /// Waits for an element of `changes` until `limit` is over. Returns early, without an error, if the task is cancelled.
  ///
  /// Create the stream before checking the condition that the wait is for; a change after the check is then not lost.
  package static func wait(for changes: AsyncStream<Void>, atMost limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in changes { return } }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }
}
