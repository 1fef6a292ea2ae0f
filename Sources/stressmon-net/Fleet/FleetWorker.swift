import Dispatch
import Fleet
import Glibc
import Outlets
import Platform

/// Publishes the history to one study on its own thread.
final class FleetWorker: Sendable {
  private let name: String
  private let publisher: FleetPublisher
  private let isStopped = Locked(false)
  private let hasEnded = Locked(false)
  private let failure = Locked<FleetError?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameter name: the target as the user wrote it.
  init(_ name: String, _ publisher: FleetPublisher) { (self.name, self.publisher) = (name, publisher) }

  /// Starts the thread.
  func run() {
    DispatchQueue(label: "stressmon.fleet").async { [self] in
      do throws(FleetError) {
        try publisher.run { isStopped.withLock(\.self) }
      } catch {
        failure.withLock { $0 = error }
      }
      hasEnded.withLock { $0 = true }
      ended.signal()
    }
  }

  /// Ends the thread after the acknowledgements of the messages that were sent.
  func finish() { isStopped.withLock { $0 = true } }

  /// Waits for the end after ``finish()``. Returns false if the thread is still blocked at the deadline.
  func waitForEnd(seconds: Double) -> Bool { ended.wait(timeout: .now() + seconds) == .success }

  var isRunning: Bool { !hasEnded.withLock(\.self) }

  /// The error that ended the thread. Absent while it runs, and after a regular end.
  var error: FleetError? { failure.withLock(\.self) }

  var status: TargetStatus {
    let current = publisher.status
    var status = TargetStatus(target: name)
    status.state =
      switch current.state {
      case .connecting: .connecting
      case .connected: .connected
      case .retrying: .retrying
      case .closed: .closed
      }
    status.lastError = current.lastError?.message
    status.delivered = Int(current.delivered)
    (status.waiting, status.behind) = (current.waiting, Int(current.behind))
    return status
  }
}

/// Runs `publish` with `nats://` targets only, which requires no live session.
struct FleetRun {
  private let workers: [FleetWorker]
  private let signals = SignalListener([SIGINT, SIGTERM])

  init(_ workers: [FleetWorker]) { self.workers = workers }

  /// Ends at SIGINT and SIGTERM, and when all workers ended.
  func run() {
    var reporter = PublishReporter(.current)
    for worker in workers { worker.run() }
    while workers.contains(where: \.isRunning), !signals.wait(milliseconds: 200) {
      reporter.report(workers.map(\.status), lostLines: 0)
    }
    workers.finish()
    reporter.report(workers.map(\.status), lostLines: 0)
    reporter.remove()
    if let number = signals.received { endProcess(with: number) }
    if workers.contains(where: { $0.error != nil }) { exit(1) }
  }
}

extension [FleetWorker] {
  /// Stops the workers, and waits for their last acknowledgements.
  func finish() {
    for worker in self { worker.finish() }
    let deadline = SystemClock.boot + 8_000_000_000
    for worker in self where worker.isRunning {
      _ = worker.waitForEnd(seconds: Double(Swift.max(0, deadline - SystemClock.boot)) / 1e9)
    }
  }
}
