import Glibc
package import LiveFeed
import LiveSession
package import Platform

/// Publishes the events of a source to targets until the source ends, or until it is stopped.
package final class Publisher {
  /// Time between two reports of the state of the targets, in ns.
  private static let reportInterval: Int64 = 2_000_000_000
  /// Time for the targets to send their last messages, in s.
  private static let farewell = 3.0

  private let source: any FeedSource
  private let targets: [TargetWorker]
  /// The end of a pipe whose other end is closed to stop.
  private let stop: CInt
  private let report: ([TargetStatus], _ lostLines: Int) -> Void
  private let published: Locked<String?>?
  private var pipeline: EventPipeline
  private var nextReport: Int64 = 0

  /// - Parameters:
  ///   - published: receives the ID of the published session.
  ///   - report: called every two seconds, and at the end.
  package init(
    _ source: any FeedSource, to targets: [TargetWorker], profile: String?, published: Locked<String?>? = nil,
    stop: CInt, report: @escaping ([TargetStatus], _ lostLines: Int) -> Void
  ) {
    (self.source, self.targets, self.stop, self.report) = (source, targets, stop, report)
    self.published = published
    pipeline = EventPipeline(profile: profile)
  }

  package func run() {
    for target in targets { target.run() }
    while !source.isAtEnd, !isStopped {
      let events = source.wait(atMost: milliseconds, watching: stop)
      let now = SystemClock.boot
      for event in events { pipeline.receive(event, at: now) }
      post()
      reportIfDue()
    }
    finish()
  }

  /// Sends the pending beats and withdraws the values.
  private func finish() {
    pipeline.finish(at: SystemClock.boot)
    while pipeline.hasPendingEvents {
      usleep(useconds_t(milliseconds) * 1000)
      post()
    }
    for target in targets { target.finish() }
    let deadline = SystemClock.boot + Int64(Self.farewell * 1e9)
    for target in targets {
      _ = target.waitForEnd(seconds: max(0, Double(deadline - SystemClock.boot) / 1e9))
    }
    report(statuses, pipeline.lostLines)
  }

  private func post() {
    let events = pipeline.take(at: SystemClock.boot)
    guard !events.isEmpty else { return }
    for case .values(let values) in events.map(\.event) { published?.withLock { $0 = values.session?.id } }
    for target in targets { target.post(events) }
  }

  private func reportIfDue() {
    guard SystemClock.boot >= nextReport else { return }
    nextReport = SystemClock.boot + Self.reportInterval
    report(statuses, pipeline.lostLines)
  }

  private var statuses: [TargetStatus] { targets.map(\.status) }

  /// Time until the next event or report, rounded up.
  private var milliseconds: CInt {
    let deadline = min(pipeline.nextDeadline ?? .max, nextReport)
    return CInt(max(0, min((deadline - SystemClock.boot + 999_999) / 1_000_000, 2000)))
  }

  private var isStopped: Bool {
    var state = pollfd(fd: stop, events: 0, revents: 0)
    return unsafe poll(&state, 1, 0) > 0
  }
}

/// Where the events of `publish` come from. Used by one thread.
package protocol FeedSource: AnyObject {
  /// Waits for events for at most `milliseconds`. A closed other end of `stop` also ends the wait.
  func wait(atMost milliseconds: CInt, watching stop: CInt?) -> [FeedEvent]
  /// Whether no events follow.
  var isAtEnd: Bool { get }
}

extension FeedReader: FeedSource {
  /// Sessions may start at any time.
  package var isAtEnd: Bool { false }
}
