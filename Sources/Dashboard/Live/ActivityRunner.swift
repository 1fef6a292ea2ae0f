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
    /// The signal that ended the command, which then printed no message; nil if it exited.
    package fileprivate(set) var signal: Int?
  }

  private struct State {
    /// The latest activity of each command.
    var statuses: [Activity.Command: Status] = [:]
    var latest: Activity.Command?
    var task: Task<Void, Never>?
    /// The live session that ends for the running activity and starts again afterwards.
    var interrupted: Activity?
    /// Incremented at each start.
    var generation = 0

    var status: Status? { latest.flatMap { statuses[$0] } }
  }

  private let program: MeasuringProgram
  private let state = Locked(State())

  package init(_ program: MeasuringProgram) { self.program = program }

  /// nil before the first activity.
  package var status: Status? { state.withLock { $0.status } }

  /// The running activity of `command`, or its latest one; nil before the first.
  package func status(of command: Activity.Command) -> Status? { state.withLock { $0.statuses[command] } }

  /// Starts an activity. Returns false if one is running.
  ///
  /// With `interruptsLive`, a live session of this server ends first, and starts again after the activity: the strap sends to
  /// one session at a time.
  package func start(_ activity: Activity, interruptsLive: Bool = false) -> Bool {
    state.withLock { state in
      if let task = state.task {
        let running = state.status?.activity
        guard interruptsLive, activity.command != .live, let live = running, live.command == .live else {
          return false
        }
        state.statuses[.live]?.isRunning = false
        state.interrupted = live
        task.cancel()
      }
      launch(activity, after: state.task, &state)
      return true
    }
  }

  private func launch(_ activity: Activity, after previous: Task<Void, Never>?, _ state: inout State) {
    state.generation += 1
    state.latest = activity.command
    state.statuses[activity.command] = Status(activity: activity, started: SystemClock.wall)
    let generation = state.generation
    state.task = Task { [self] in
      await previous?.value
      let outcome = await program.run(activity)
      finish(generation, outcome, isCancelled: Task.isCancelled)
    }
  }

  private func finish(_ generation: Int, _ outcome: MeasuringProgram.Outcome, isCancelled: Bool) {
    state.withLock { state in
      guard state.generation == generation, var status = state.status else { return }
      status.isRunning = false
      status.result = outcome.document
      if !outcome.succeeded, !isCancelled {
        status.signal = outcome.signal.map(Int.init)
        status.failure =
          status.signal.map { "ended by signal \($0)" } ?? String(outcome.message.prefix { $0 != "\n" })
      }
      state.statuses[status.activity.command] = status
      state.task = nil
      if let live = state.interrupted {
        state.interrupted = nil
        launch(live, after: nil, &state)
      }
    }
  }

  /// Ends the activity and waits until it has stored its data; a live session that it interrupted starts again. Returns false if
  /// none is running.
  @discardableResult package func stop() async -> Bool {
    guard let task = state.withLock({ $0.task }) else { return false }
    task.cancel()
    await task.value
    return true
  }

  /// Ends the activity for good, when the server stops.
  func shutDown() async {
    state.withLock { $0.interrupted = nil }
    await stop()
  }
}
