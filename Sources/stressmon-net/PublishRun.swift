import Dispatch
import Glibc
import LiveFeed
import Localization
import NetworkCommands
import Outlets
import Platform

/// Runs `publish` until its source ends, or until SIGINT or SIGTERM.
struct PublishRun {
  private let targets: [TargetWorker]
  private let fleet: [FleetWorker]
  private let profile: String?
  private let commands: OutletCommands
  private let isVerbose: Bool
  private let signals = SignalListener([SIGINT, SIGTERM])

  init(
    _ targets: [TargetWorker], _ fleet: [FleetWorker], profile: String?, commands: OutletCommands,
    isVerbose: Bool
  ) {
    (self.targets, self.fleet, self.profile, self.commands) = (targets, fleet, profile, commands)
    self.isVerbose = isVerbose
  }

  /// Publishes the live sessions.
  func run(_ source: any FeedSource) {
    let environment = ProcessEnvironment.current
    var reporter = PublishReporter(environment, profile: profile, isVerbose: isVerbose)
    let publisher = Publisher(
      source, to: targets, profile: profile, published: commands.session, stop: signals.descriptor
    ) {
      reporter.report($0 + fleet.map(\.status), lostLines: $1)
      reporter.reportDetails($0, session: commands.session.withLock(\.self))
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
        Phrase(
          "standard input contains no lines of 'live --json'. Example: stressmon live --json | stressmon publish --from - osc://"
        ),
        status: 3)
    }
    if lines.invalidLines > 0 {
      fail(
        Phrase(
          "\(lines.invalidLines) lines of standard input are not lines of 'live --json' and were skipped"),
        status: 3)
    }
    for status in targets.map(\.status) where status.delivered == 0 {
      fail(
        status.lastError == nil
          ? Phrase("nothing was sent to \(status.target): the input has no live values")
          : Phrase("nothing was sent to \(status.target)"))
    }
  }
}
