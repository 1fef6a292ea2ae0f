import ArgumentParser
import HeartRate
import History
import LiveSession
import Localization
import NetworkCommands
import Platform
import Session
import Stress
import Terminal

struct Service: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "service", _superCommandName: Stressmon.name,
    abstract: localized("Measure in the background; 'service on' lets systemd run this command."),
    discussion: localized(
      """
      Measures continuously, or takes a reading at an interval, as the setting 'service' selects. Waits for the strap \
      without a time limit, stores every session in the history, and prints the state of the link, without values.
      """) + "\n"
      + examples("stressmon config set service 15m", "stressmon service on", "stressmon service"),
    subcommands: [ServiceOn.self, ServiceOff.self, ServiceStatus.self])

  @OptionGroup(title: commonOptions) var source: SourceOptions
  @OptionGroup(title: commonOptions) var engine: EngineOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions
  @OptionGroup(title: commonOptions) var log: LogOptions

  func validate() throws {
    try source.straps.validate(profile: store.profile)
    if source.lines != nil {
      throw ValidationError(
        Phrase(
          "the service measures a strap. Measure the lines of a program with: \("stressmon live --source -")")
      )
    }
  }

  func perform() async throws {
    let context = try CommandContext()
    let builder = SessionSetupBuilder(
      context: context, source: source, store: store,
      settings: engine.settings(context), logger: log.logger(context.environment))
    let strap = try source.onlyStrap
    let setup = try builder.setup(strap)
    if strap == nil, !source.simulate {
      try Self.requireKnownStrap(context, setup.profile, setup.history)
    }
    switch context[.service].flatMap(ServiceMode.init(argument:)) ?? .live {
    case .live:
      let notices = NoticeDelivery(context)
      defer { notices.end() }
      let announcing = notices.added(to: setup)
      let end = try await runUntilInterrupted { try await Self.measureContinuously(announcing) }
      if case .signal(let signal) = end { throw Interruption(signal: signal) }
    case .every(let period):
      try context.configuration.requireReadingsToFit(window: setup.settings.window)
      try await Self.readings(setup, every: period).runUntilInterrupted()
    }
  }

  private static func readings(_ setup: SessionSetup, every period: Duration) -> RepeatedReadings {
    let session = ReadingSession(setup, length: nil) { SessionAlerts(onScreen: false) }
    return RepeatedReadings(
      every: period, clock: session.clock(every: period, count: nil), canRetry: canRetryReading,
      report: ReadingSeriesPrinter(every: period, style: .ofProcess).report
    ) {
      let reading = try await session.takeComplete($0)
      if reading.storage == .stored {
        try StandardOutput().line(localized("Stored a reading in session \(reading.plan.id.text)"))
      }
      return reading.error
    }
  }

  /// Requires a strap that was paired, configured or used before: without a user, any strap that responds might belong to
  /// another person.
  static func requireKnownStrap(
    _ context: CommandContext, _ profile: String, _ history: StoreLocation?
  ) throws {
    guard context[.strap] == nil else { return }
    let profile = StoredProfile(profile, location: history, alerts: SessionAlerts(onScreen: false))
    guard profile.straps.isEmpty else { return }
    throw CommandFailure(
      .noStrap, Phrase("no strap is known for this profile. Pair one with: \("stressmon pair")"))
  }

  /// Runs one session without a time limit. If it cannot start or fails, for example while another process measures for the
  /// same profile, retries every minute. The service is ready meanwhile, because systemd would otherwise restart it.
  private static func measureContinuously(_ setup: SessionSetup) async throws {
    var setup = setup
    if case .strap(var strap) = setup.source {
      strap.searchTime = nil
      setup.source = .strap(strap)
    }
    let alerts = SessionAlerts(onScreen: false)
    while true {
      do {
        let outcome = try await SessionGroup(setup, alerts: alerts) { _ in LinkPresenter() }.run()
        if let failure = outcome.failures.first { throw failure.error }
        if case .signal(let signal) = outcome.end { throw Interruption(signal: signal) }
        return
      } catch {
        guard canRetryReading(error), !Task.isCancelled else { throw error }
        let text = ProcessEnvironment.current.text(Phrase(of: error))
        alerts.report(.reading, localized("no session (retrying every minute): \(text)"))
        setup.serviceManager?.ready()
        setup.serviceManager?.status(text)
      }
      try await ServiceManager.wait(
        until: SystemClock.boot + 60_000_000_000, sendingKeepAlivesTo: setup.serviceManager)
    }
  }
}

/// The mode of the service.
enum ServiceMode: Equatable, Sendable {
  case live
  /// A reading at this interval.
  case every(Duration)

  static let periods: ClosedRange<Duration> = .seconds(10)...(.seconds(86_400))

  /// `live`, or a duration such as 15m. Fails for any other text.
  init?(argument: String) {
    if argument == "live" {
      self = .live
    } else if let period = DurationArgument(argument: argument)?.duration, Self.periods.contains(period) {
      self = .every(period)
    } else {
      return nil
    }
  }
}

/// Prints changes of the link. Values of the heart are not printed, because other users can read the system journal.
private struct LinkPresenter: FinishingSink {
  private let output = NonblockingOutput(blocks: false)

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    guard case .event(let event) = update, case .link(let change) = event.kind else { return .proceed }
    return .stopping(onErrorOf: { try output.line(change.line(.ofProcess)) })
  }

  func finish() async throws { try output.finish() }
}

extension Configuration {
  /// - Throws: ``CommandFailure`` if a reading of the service is not shorter than its interval.
  func requireReadingsToFit(window: Duration? = nil) throws(CommandFailure) {
    guard case .every(let period)? = self[.service].flatMap(ServiceMode.init(argument:)) else { return }
    let length = window ?? windowLength
    guard length >= period else { return }
    throw CommandFailure(
      .usage,
      Phrase(
        """
        a reading of \(length.shortText) does not fit into an interval of \(period.shortText). \
        \(Self.advice(period, length))
        """)
    )
  }

  private var windowLength: Duration {
    self[.window].flatMap(DurationArgument.init(argument:))?.duration ?? StressEngine.Settings().window
  }

  private static func advice(_ period: Duration, _ length: Duration) -> Phrase {
    let longer = "stressmon config set service \((length + .seconds(60)).shortText)"
    let shortest = StressEngine.Settings.windows.lowerBound
    let shorter = "stressmon config set window \(shortest.shortText)"
    return period > shortest
      ? Phrase("Choose a longer interval: \(longer); or a shorter window: \(shorter)")
      : Phrase("Choose a longer interval: \(longer)")
  }
}
