import ArgumentParser

struct Live: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Measure live: heart rate, HRV and stress, beat by beat.",
    discussion: """
      Shows a screen on a terminal and lines elsewhere, and keeps everything in the history. Ctrl-C ends it.
      Example: stressmon live
      Example: stressmon live --simulate --speed 10
      Example: stressmon live --json --record morning.jsonl --duration 5m
      """)

  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Measure") var engine: EngineOptions

  @Option(name: .long, help: ArgumentHelp("Also record to a file.", valueName: "file"))
  var record: String?

  @Flag(name: .long, help: "Replace the file of --record if it exists.")
  var force = false

  @Option(name: .long, help: ArgumentHelp("End after this time (default: run until Ctrl-C).", valueName: "duration"))
  var duration: DurationArgument?

  @Flag(name: .long, help: "Keep nothing in the history.")
  var noStore = false

  @OptionGroup(title: "Output") var view: ViewOptions
  @OptionGroup(title: "Person and store") var store: StoreOptions
  @OptionGroup var log: LogOptions

  func validate() throws {
    if force, record == nil { throw ValidationError("--force goes with --record FILE.") }
  }

  func run() async throws {
    let surroundings = Surroundings.current
    var session = LiveSession(
      configuration: try Configuration(surroundings: surroundings), surroundings: surroundings, source: source,
      store: store, engine: engine, logger: log.logger(surroundings))
    session.recording = record.map { LiveSession.RecordingTarget(path: $0, replacing: force) }
    session.isStored = !noStore
    session.duration = duration?.duration
    try await session.runShown(view)
  }
}
