import ArgumentParser

struct Live: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Measure live: heart rate, HRV and stress, beat by beat.",
    discussion: """
      Shows a screen on a terminal and lines elsewhere, and keeps everything in the history. Ctrl-C ends it.
      Example: stressmon live
      Example: stressmon live --simulate --speed 10
      Example: stressmon live --json --record morning.jsonl --duration 5m
      """)

  @Option(
    name: .long, help: ArgumentHelp("End after this time (default: run until Ctrl-C).", valueName: "duration")
  )
  var duration: DurationArgument?

  @Option(name: .long, help: ArgumentHelp("Also record to a file.", valueName: "file"))
  var record: String?

  @Flag(name: .long, help: "Replace the file of --record if it exists.")
  var force = false

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if force, record == nil { throw ValidationError("--force goes with --record FILE.") }
  }

  func perform() async throws {
    let recording = record.map { LiveSession.RecordingTarget(path: $0, replacing: force) }
    try await options.session(recording: recording, duration: duration).runShown(options.view)
  }
}
