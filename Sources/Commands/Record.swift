import ArgumentParser

struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a session to a file, and to the history.",
    discussion: """
      The file survives a power cut: at most its last second is lost. Read it with analyze and replay.
      Example: stressmon record morning.jsonl --duration 5m
      """)

  @Argument(help: "The file to make.")
  var file: String

  @Flag(name: .long, help: "Replace the file if it exists.")
  var force = false

  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Measure") var engine: EngineOptions

  @Option(name: .long, help: ArgumentHelp("End after this time (default: run until Ctrl-C).", valueName: "duration"))
  var duration: DurationArgument?

  @Flag(name: .long, help: "Keep nothing in the history, only in the file.")
  var noStore = false

  @OptionGroup(title: "Output") var view: ViewOptions
  @OptionGroup(title: "Person and store") var store: StoreOptions
  @OptionGroup var log: LogOptions

  func run() async throws {
    let surroundings = Surroundings.current
    var session = LiveSession(
      configuration: try Configuration(surroundings: surroundings), surroundings: surroundings, source: source,
      store: store, engine: engine, logger: log.logger(surroundings))
    session.recording = LiveSession.RecordingTarget(path: file, replacing: force)
    session.isStored = !noStore
    session.duration = duration?.duration
    try await session.runShown(view)
  }
}
