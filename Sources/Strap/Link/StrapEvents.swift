package import HeartRate
import Platform

/// The events of one session with a strap, in the order of their times, for one reader.
///
/// Events are buffered without limit, and none is dropped. After the cancellation of the reader's task, the sequence ends
/// with the events that have already arrived. Not an `AsyncThrowingStream`, because its generic code costs more per
/// notification than all other handling.
package struct StrapEvents: AsyncSequence, Sendable {
  let queue: StrapEventQueue

  package func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

  package struct Iterator: AsyncIteratorProtocol {
    private let queue: StrapEventQueue
    /// The events removed from the queue together, and the number of those already returned.
    private var batch: [SessionEvent] = []
    private var position = 0

    fileprivate init(queue: StrapEventQueue) { self.queue = queue }

    /// Returns the next event.
    ///
    /// - Throws: a ``StrapError``, once, if the first connection fails.
    package mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> SessionEvent? {
      if position == batch.count {
        position = 0
        batch.removeAll(keepingCapacity: true)
        while !(try queue.removeAll(into: &batch)) { await queue.change(isolation: actor) }
        if batch.isEmpty { return nil }
      }
      defer { position += 1 }
      return batch[position]
    }
  }
}

/// Buffers the events of a session for their reader, which may run on any thread.
final class StrapEventQueue: Sendable {
  // @safe: the continuation is removed when it is resumed, so it is resumed once.
  @safe private struct State {
    var events: [SessionEvent] = []
    var end: Result<Void, any Error>?
    /// Resumed by the next change.
    var reader: UnsafeContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Has no effect after the end.
  func append(_ event: SessionEvent) {
    unsafe wake(
      state.withLock { state in
        guard state.end == nil else { return nil }
        state.events.append(event)
        return unsafe state.reader.take()
      })
  }

  /// Ends the events, with or without an error. A second call has no effect.
  func finish(_ end: Result<Void, any Error> = .success(())) {
    unsafe wake(
      state.withLock { state in
        state.end = state.end ?? end
        return unsafe state.reader.take()
      })
  }

  /// Moves all events into `batch`, which is empty. Returns false if there are none yet; at the end, `batch` stays empty.
  fileprivate func removeAll(into batch: inout [SessionEvent]) throws -> Bool {
    let end = state.withLock { state -> Result<Void, any Error>? in
      swap(&state.events, &batch)
      guard batch.isEmpty, let end = state.end else { return nil }
      state.end = .success(())
      return end
    }
    try end?.get()
    return end != nil || !batch.isEmpty
  }

  /// Returns when there are events or the end.
  fileprivate func change(isolation actor: isolated (any Actor)?) async {
    await withTaskCancellationHandler(
      operation: { await wait(isolation: actor) }, onCancel: { finish() }, isolation: actor)
  }

  private func wait(isolation actor: isolated (any Actor)?) async {
    unsafe await withUnsafeContinuation(isolation: actor) { continuation in
      let isDue = state.withLock { state in
        guard state.events.isEmpty, state.end == nil else { return true }
        unsafe state.reader = unsafe continuation
        return false
      }
      if isDue { unsafe continuation.resume() }
    }
  }

  /// Called without the lock, since the reader may resume at once.
  private func wake(_ reader: UnsafeContinuation<Void, Never>?) { unsafe reader?.resume() }
}
