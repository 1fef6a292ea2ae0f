public import HeartRate

/// The events of one session with a strap, in the order of their times, for one reader.
///
/// They are buffered without bound: none is dropped. Where the reader's task is cancelled, they end after those that have
/// come. Not an `AsyncThrowingStream`, whose generic code costs more per notification than all that is done with one.
public struct StrapEvents: AsyncSequence, Sendable {
  let queue: EventQueue

  public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

  public struct Iterator: AsyncIteratorProtocol {
    private let queue: EventQueue
    /// Taken out of the queue together, and how many of them were handed out.
    private var batch: [SessionEvent] = []
    private var place = 0

    fileprivate init(queue: EventQueue) { self.queue = queue }

    /// The next event; nil after the last.
    ///
    /// - Throws: Once, a ``StrapError`` where no first connection can be made.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> SessionEvent? {
      if place == batch.count {
        place = 0
        batch.removeAll(keepingCapacity: true)
        while !(try queue.take(&batch)) { await queue.change(isolation: actor) }
        if batch.isEmpty { return nil }
      }
      defer { place += 1 }
      return batch[place]
    }
  }
}

/// Where the events of a session wait for their reader, who may be on any thread.
final class EventQueue: Sendable {
  private struct State {
    var events: [SessionEvent] = []
    var end: Result<Void, any Error>?
    /// Waits for a change.
    var reader: UnsafeContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Nothing happens after the end.
  func append(_ event: SessionEvent) {
    wake(
      state.withLock { state in
        guard state.end == nil else { return nil }
        state.events.append(event)
        return state.reader.take()
      })
  }

  /// Ends the events, with an error or without. Nothing happens the second time.
  func finish(_ end: Result<Void, any Error> = .success(())) {
    wake(
      state.withLock { state in
        state.end = state.end ?? end
        return state.reader.take()
      })
  }

  /// Exchanges `batch`, which is empty, for all that has come; false when that is nothing yet. At the end it stays empty.
  fileprivate func take(_ batch: inout [SessionEvent]) throws -> Bool {
    let end = state.withLock { state -> Result<Void, any Error>? in
      swap(&state.events, &batch)
      guard batch.isEmpty, let end = state.end else { return nil }
      state.end = .success(())
      return end
    }
    try end?.get()
    return end != nil || !batch.isEmpty
  }

  /// Returns when there is something to take.
  fileprivate func change(isolation actor: isolated (any Actor)?) async {
    await withTaskCancellationHandler(
      operation: { await wait(isolation: actor) }, onCancel: { finish() }, isolation: actor)
  }

  private func wait(isolation actor: isolated (any Actor)?) async {
    await withUnsafeContinuation(isolation: actor) { continuation in
      let isDue = state.withLock { state in
        guard state.events.isEmpty, state.end == nil else { return true }
        state.reader = continuation
        return false
      }
      if isDue { continuation.resume() }
    }
  }

  /// Outside of the lock, since the reader may go on at once.
  private func wake(_ reader: UnsafeContinuation<Void, Never>?) { reader?.resume() }
}
