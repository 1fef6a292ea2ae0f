import Glibc
import Platform

/// Runs `publish` with `nats://` targets only, which requires no live session.
struct FleetRun {
  private let workers: [FleetWorker]
  private let signals = SignalPipe([SIGINT, SIGTERM])

  init(_ workers: [FleetWorker]) { self.workers = workers }

  /// Ends at SIGINT and SIGTERM, and when all workers ended.
  func run() {
    var reporter = PublishReporter(.current)
    for worker in workers { worker.run() }
    while workers.contains(where: \.isRunning), !isStopped {
      reporter.report(workers.map(\.status), lostLines: 0)
    }
    workers.finish()
    reporter.report(workers.map(\.status), lostLines: 0)
    reporter.remove()
    if let number = signals.received { endProcess(with: number) }
    if workers.contains(where: { $0.error != nil }) { exit(1) }
  }

  /// Waits up to 200 ms for a signal.
  private var isStopped: Bool {
    var state = pollfd(fd: signals.descriptor, events: 0, revents: 0)
    return unsafe poll(&state, 1, 200) > 0
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
