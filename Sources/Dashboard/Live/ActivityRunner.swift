package import HeartRate
import Platform

/// Runs one activity at a time, and keeps the result of the latest one.
package final class ActivityRunner: Sendable {
  /// The running activity, or the latest one.
  package struct Status: Sendable {
    package let activity: Activity
    package let started: WallTime
    package fileprivate(set) var isRunning = true
    /// The JSON document that the command printed at its end; nil for a live session, and before the end.
    package fileprivate(set) var result: [UInt8]?
    /// The first line of the error message; nil if the command did not fail.
    package fileprivate(set) var failure: String?
  }

  private struct State {
    var status: Status?
    var task: Task<Void, Never>?
    /// Incremented at each start.
    var generation = 0
  }

  private let program: MeasuringProgram
  private let state = Locked(State())

  package init(_ program: MeasuringProgram) { self.program = program }

  /// nil before the first activity.
  package var status: Status? { state.withLock { $0.status } }

  /// Starts an activity. Returns false if one is running.
  package func start(_ activity: Activity) -> Bool {
    state.withLock { state in
      guard state.task == nil else { return false }
      state.generation += 1
      state.status = Status(activity: activity, started: SystemClock.wall)
      let generation = state.generation
      state.task = Task { [self] in
        let outcome = await program.run(activity)
        finish(generation, outcome, isCancelled: Task.isCancelled)
      }
      return true
    }
  }

  private func finish(_ generation: Int, _ outcome: MeasuringProgram.Outcome, isCancelled: Bool) {
    state.withLock { state in
      guard state.generation == generation else { return }
      state.task = nil
      state.status?.isRunning = false
      state.status?.result = outcome.document
      guard !outcome.succeeded, !isCancelled else { return }
      state.status?.failure = String(outcome.message.prefix { $0 != "\n" })
    }
  }

  /// Ends the activity and waits until it has stored its data. Returns false if none is running.
  @discardableResult package func stop() async -> Bool {
    guard let task = state.withLock({ $0.task }) else { return false }
    task.cancel()
    await task.value
    return true
  }
}
