import ArgumentParser

struct Record: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record a session to a file, and to the history.",
    discussion: """
      The file survives a power cut: at most its last second is lost. Read it with analyze and replay.
      Example: stressmon record morning.jsonl --duration 5m
      """)

  @Argument(help: "The file to make.")
  var file: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "End after this time, such as 90s, 5m or 1h30m (default: run until Ctrl-C).", valueName: "duration"))
  var duration: DurationArgument?

  @Flag(name: .long, help: "Replace the file if it exists.")
  var force = false

  @OptionGroup var options: SessionOptions

  func perform() async throws {
    let recording = LiveSession.RecordingTarget(path: file, replacing: force)
    try await options.session(recording: recording, duration: duration).runShown(options.view)
  }
}
