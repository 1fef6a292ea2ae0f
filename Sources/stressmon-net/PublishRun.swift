import Dispatch
import Glibc
import LiveFeed
import Outlets
import Platform

/// Runs `publish` until its source ends, or until SIGINT or SIGTERM.
struct PublishRun {
  private let targets: [TargetWorker]
  private let fleet: [FleetWorker]
  private let profile: String?
  private let signals = SignalPipe([SIGINT, SIGTERM])

  init(_ targets: [TargetWorker], _ fleet: [FleetWorker], profile: String?) {
    (self.targets, self.fleet, self.profile) = (targets, fleet, profile)
  }

  /// Publishes the live sessions.
  func run(_ source: any FeedSource) {
    let environment = ProcessEnvironment.current
    var reporter = PublishReporter(environment)
    let publisher = Publisher(source, to: targets, profile: profile, stop: signals.descriptor) {
      reporter.report($0 + fleet.map(\.status), lostLines: $1)
    }
    for worker in fleet { worker.run() }
    publisher.run()
    fleet.finish()
    reporter.remove()
    if let number = signals.received { endProcess(with: number) }
  }

  /// Publishes lines up to their end.
  func run(lines: LineSource) {
    run(lines)
    if lines.validLines == 0 {
      fail(
        "standard input contains no lines of 'live --json'. Example: stressmon live --json | stressmon publish --from - osc://",
        status: 3)
    }
    if lines.invalidLines > 0 {
      fail("\(lines.invalidLines) lines of standard input are not JSON objects and were skipped", status: 3)
    }
    for status in targets.map(\.status) where status.delivered == 0 {
      fail(
        "nothing was sent to \(status.target)\(status.lastError == nil ? ": the input has no live values" : "")"
      )
    }
  }
}

/// Reports signals by closing a pipe, so that a wait of `poll` ends.
struct SignalPipe {
  /// Reports a hang-up after the first signal.
  let descriptor: CInt
  private let number: Locked<Int32?>
  private let sources: [any DispatchSourceSignal]

  /// - Parameter endsAtSecond: Whether a second signal ends the process at once.
  init(_ signals: [Int32], endsAtSecond: Bool = true) {
    var ends: [CInt] = [-1, -1]
    _ = unsafe pipe(&ends)
    let writing = ends[1]
    let number = Locked<Int32?>(nil)
    (descriptor, self.number) = (ends[0], number)
    sources = signals.map { signal in
      Glibc.signal(signal, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
      source.setEventHandler {
        let isFirst = number.withLock { number in
          defer { number = number ?? signal }
          return number == nil
        }
        if isFirst {
          close(writing)
        } else if endsAtSecond {
          endProcess(with: signal)
        }
      }
      source.activate()
      return source
    }
  }

  /// The first signal; nil without one.
  var received: Int32? { number.withLock(\.self) }

  /// Waits for a signal. Returns false after the time.
  func wait(milliseconds: CInt) -> Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&state, 1, milliseconds) > 0
  }
}
