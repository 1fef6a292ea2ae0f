import ArgumentParser
import Strap
import Stress

/// What every command that measures takes.
struct SessionOptions: ParsableArguments {
  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Measure") var engine: EngineOptions
  @OptionGroup(title: "Output") var view: ViewOptions
  @OptionGroup(title: "Person and store") var store: StoreOptions

  @Flag(name: .long, help: "Keep nothing in the history.")
  var noStore = false

  @OptionGroup var log: LogOptions

  func validate() throws { try source.straps.validate(profile: store.profile) }

  /// The session that the options describe, with one strap.
  func session(recording: LiveSession.RecordingTarget? = nil, duration: DurationArgument?) throws
    -> LiveSession
  {
    var session = try session(with: try source.onlyStrap, duration)
    session.recording = recording
    return session
  }

  /// A session for each strap that is named.
  func sessions(duration: DurationArgument?) throws -> [LiveSession] {
    let radio = RadioTurns()
    return try source.straps.map {
      var session = try session(with: $0, duration)
      session.radio = radio
      return session
    }
  }

  private func session(with strap: StrapArgument?, _ duration: DurationArgument?) throws -> LiveSession {
    let surroundings = Surroundings.current
    var session = LiveSession(
      configuration: try Configuration(surroundings: surroundings), surroundings: surroundings,
      source: source,
      store: store, engine: engine, logger: log.logger(surroundings))
    session.chosen = strap
    session.isStored = !noStore
    session.duration = duration?.duration
    return session
  }
}
