import ArgumentParser
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

  /// The session that the options describe.
  func session(recording: LiveSession.RecordingTarget? = nil, duration: DurationArgument?) throws
    -> LiveSession
  {
    let surroundings = Surroundings.current
    var session = LiveSession(
      configuration: try Configuration(surroundings: surroundings), surroundings: surroundings,
      source: source,
      store: store, engine: engine, logger: log.logger(surroundings))
    session.recording = recording
    session.isStored = !noStore
    session.duration = duration?.duration
    return session
  }
}
