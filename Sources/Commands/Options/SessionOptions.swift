import ArgumentParser
import Platform
import Strap
import Stress

/// The options of every command that measures.
struct SessionOptions: ParsableArguments {
  @OptionGroup var source: SourceOptions
  @OptionGroup var engine: EngineOptions
  @OptionGroup var view: ViewOptions
  @OptionGroup var store: StoreOptions

  @Flag(name: .long, help: "Store nothing in the history.")
  var noStore = false

  @OptionGroup var log: LogOptions

  func validate() throws { try source.straps.validate(profile: store.profile) }

  /// The session that the options describe, with one strap. If `isMeasured` is false, the profile is only read.
  func session(
    recording: LiveSession.RecordingTarget? = nil, duration: DurationArgument?, isMeasured: Bool = true
  ) throws -> LiveSession {
    var session = try session(with: try source.onlyStrap, duration)
    session.recording = recording
    if isMeasured {
      try checkProfile(of: session)
    } else {
      _ = try store.existingProfile(session.configuration, session.environment)
    }
    return session
  }

  /// One session for each named strap.
  func sessions(duration: DurationArgument?) throws -> [LiveSession] {
    let radio = RadioArbiter()
    return try source.straps.map {
      var session = try session(with: $0, duration)
      session.radio = radio
      try checkProfile(of: session)
      return session
    }
  }

  /// Confirms a profile that the session would create.
  private func checkProfile(of session: LiveSession) throws {
    guard session.isStored else { return }
    _ = try store.profileToStore(session.configuration, session.environment, named: session.profile)
  }

  private func session(with strap: StrapArgument?, _ duration: DurationArgument?) throws -> LiveSession {
    let environment = ProcessEnvironment.current
    var session = LiveSession(
      configuration: try Configuration(environment: environment), environment: environment,
      source: source,
      store: store, engine: engine, logger: log.logger(environment))
    session.chosen = strap
    session.isStored = !noStore
    session.duration = duration?.duration
    return session
  }
}
