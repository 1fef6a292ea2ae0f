import Platform

/// The live session that the server started, as a child process; at most one.
package final class LiveSessionRunner: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    /// Incremented at each start.
    var generation = 0
    var failure: String?
  }

  private let program: MeasuringProgram
  private let state = Locked(State())

  package init(_ program: MeasuringProgram) { self.program = program }

  package var isRunning: Bool { state.withLock { $0.task != nil } }

  /// The first line of the message of the latest session that failed; nil if it did not.
  package var failure: String? { state.withLock { $0.failure } }

  /// Starts a session. Returns false if one is running.
  package func start(isSimulated: Bool) -> Bool {
    state.withLock { state in
      guard state.task == nil else { return false }
      state.generation += 1
      state.failure = nil
      let generation = state.generation
      state.task = Task { [self] in
        let (succeeded, message) = await program.runLive(isSimulated: isSimulated)
        finish(generation, succeeded || Task.isCancelled ? nil : message)
      }
      return true
    }
  }

  private func finish(_ generation: Int, _ failure: String?) {
    state.withLock { state in
      guard state.generation == generation else { return }
      state.task = nil
      state.failure = failure.map { String($0.prefix { $0 != "\n" }) }
    }
  }

  /// Ends the session and waits until it has stored its data. Returns false if none is running.
  @discardableResult package func stop() async -> Bool {
    guard let task = state.withLock({ $0.task }) else { return false }
    task.cancel()
    await task.value
    return true
  }
}
