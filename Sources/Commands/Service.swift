import ArgumentParser
import HeartRate
import History
import Platform
import Stress
import Terminal

struct Service: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "service",
    abstract: "Measure in the background; the systemd service runs this command.",
    discussion: """
      Measures continuously, or takes a reading at an interval, as the setting 'service' selects. Waits for the strap \
      without a time limit, stores every session in the history, and prints the state of the link, without values.
      Example: stressmon config set service 15m
      Example: stressmon service
      """)

  @OptionGroup(title: commonOptions) var source: SourceOptions
  @OptionGroup(title: commonOptions) var engine: EngineOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions
  @OptionGroup(title: commonOptions) var log: LogOptions

  func validate() throws { try source.straps.validate(profile: store.profile) }

  func perform() async throws {
    let environment = ProcessEnvironment.current
    let configuration = try Configuration(environment: environment)
    var session = LiveSession(
      configuration: configuration, environment: environment, source: source, store: store, engine: engine,
      logger: log.logger(environment))
    session.chosen = try source.onlyStrap
    try expectKnownStrap(session)
    _ = try store.profileToStore(configuration, environment, named: session.profile, asks: false)
    let end: RunEnd
    switch configuration[.service].flatMap(ServiceMode.init(argument:)) ?? .live {
    case .live:
      let live = session
      end = try await runUntilInterrupted { try await Self.measureAllTheTime(live) }
    case .every(let period):
      let taker = ReadingSession(session, length: nil)
      try configuration.expectReadingsToFit(window: engine.settings(configuration).window)
      let readings = RepeatedReadings(every: period, clock: taker.clock(every: period, count: nil)) {
        let reading = try await taker.takeWhole($0, progress: nil)
        if reading.failure == nil {
          try StandardOutput().line("A reading is in the history: session \(reading.plan.id.text)")
        }
        return reading.failure
      }
      end = try await runUntilInterrupted { try await readings.run() }
    }
    if case .signal(let signal) = end { throw Interruption(signal: signal) }
  }

  /// Nobody is there to choose: whichever strap answers might be a stranger's.
  private func expectKnownStrap(_ session: LiveSession) throws {
    guard !source.simulate, session.strap == nil, session.configuration[.strap] == nil else { return }
    let memory = StoredProfile(
      profile: session.profile, location: try store.location(session.configuration, session.environment),
      notices: SessionAlerts(onScreen: false))
    guard memory.straps.isEmpty else { return }
    throw CommandFailure(
      .badData, "it is not known which strap is yours. Pair it once, or say which it is: stressmon pair")
  }

  /// One session without end. Where it cannot be, for one while another run measures for the same person, it is tried
  /// again each minute; the service is ready all the same, or systemd would take it for one that does not start.
  private static func measureAllTheTime(_ session: LiveSession) async throws {
    var session = session
    session.searchTime = nil
    let notices = SessionAlerts(onScreen: false)
    while true {
      do {
        let (end, _) = try await session.run(notices: notices) { _, _ in LinkPresenter() }
        if case .signal(let signal) = end { throw Interruption(signal: signal) }
        return
      } catch {
        guard let failure = CommandFailure(error), failure.status != .badData, !Task.isCancelled else {
          throw error
        }
        notices.tell(.reading, "no session, which is tried again each minute: \(failure.description)")
        session.manager?.ready()
        session.manager?.status(failure.description)
      }
      try await ServiceManager.wait(
        until: SystemClock.boot + 60_000_000_000, sendingKeepAlivesTo: session.manager)
    }
  }
}

/// What the service does.
enum ServiceMode: Equatable, Sendable {
  case live
  /// A reading at these distances.
  case every(Duration)

  static let periods: ClosedRange<Duration> = .seconds(10)...(.seconds(86_400))

  /// `live`, or a length as people type it; nil for anything else.
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

/// Prints what the link does, and no value: a system's journal is no place for what a heart does.
private struct LinkPresenter: SessionSink {
  private let output = NonblockingOutput(blocks: false)

  mutating func take(_ event: SessionEvent) throws {
    guard case .link(let change) = event.kind else { return }
    try output.line(change.line)
  }

  mutating func finish() async throws { try output.finish() }
}
