import Glibc
import Platform

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
