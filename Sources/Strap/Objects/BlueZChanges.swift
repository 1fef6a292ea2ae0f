import DBus

/// The changes of BlueZ's objects during one operation.
struct BlueZChanges: Sendable {
  private let stream: AsyncThrowingStream<Void, any Error>
  private let continuation: AsyncThrowingStream<Void, any Error>.Continuation

  init() { (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Receives the notices of a ``BlueZClient``.
  func receive(_ notice: BlueZClient.Notice) {
    switch notice {
    case .changed: continuation.yield()
    case .serviceLost(let message): continuation.finish(throwing: StrapError.noBluetoothd(message))
    case .busLost: continuation.finish(throwing: StrapError.noBus(BusError.closed.message))
    case .serviceAppeared, .disconnected: break
    }
  }

  /// Time after an evaluation in which further changes are collected.
  private static let collection = Duration.milliseconds(100)

  /// Calls `isDone` at once, after changes (at most ten times per second), and `delays` after `start`, until it returns true or the task is cancelled.
  ///
  /// - Throws: what `isDone` throws, and a ``StrapError`` when bluetoothd or the bus is gone.
  func wait(
    since start: ContinuousClock.Instant = .now, evaluatingAfter delays: [Duration],
    until isDone: () async throws -> Bool
  ) async throws {
    let timers = Task {
      for delay in delays.sorted() {
        try await Task.sleep(until: start + delay, clock: .continuous)
        continuation.yield()
      }
    }
    defer { timers.cancel() }
    if try await isDone() { return }
    for try await _ in stream {
      if try await isDone() { return }
      try await Task.sleep(for: Self.collection)
    }
  }
}
