import ArgumentParser

struct Live: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Measure live: heart rate, HRV and stress, beat by beat.",
    discussion: """
      Shows a screen on a terminal and lines elsewhere, and keeps everything in the history. Ctrl-C ends it. Keys on the \
      screen: h help, space pauses the display, m marks the moment, w another trend, b breathe now, q quits.
      With several straps, each is a session of its own; =PROFILE after a strap says for whom it measures.
      Example: stressmon live
      Example: stressmon live --simulate --speed 10
      Example: stressmon live --json --record morning.jsonl --duration 5m
      Example: stressmon live --strap C0:FF:EE:00:00:01=anna --strap C0:FF:EE:00:00:02=ben
      """)

  @Option(
    name: .long,
    help: ArgumentHelp(
      "End after this time, such as 90s, 5m or 1h30m (default: run until Ctrl-C).", valueName: "duration"))
  var duration: DurationArgument?

  @Option(name: .long, help: ArgumentHelp("Also record to a file.", valueName: "file"))
  var record: String?

  @Flag(name: .long, help: "Replace the file of --record if it exists.")
  var force = false

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if force, record == nil { throw ValidationError("--force goes with --record FILE.") }
    if let record, options.source.straps.count > 1 {
      throw ValidationError(
        """
        --record \(record) takes one strap, and there are \(options.source.straps.count). The history keeps each of \
        them anyway; for files, start one run for each: stressmon live --strap \(options.source.straps[0].strap) \
        --profile \(options.source.straps[0].profile?.name ?? "anna") --record \(record)
        """)
    }
  }

  func perform() async throws {
    if options.source.straps.count > 1 {
      return try await SessionGroup(try options.sessions(duration: duration), options.view).runShown()
    }
    let recording = record.map { LiveSession.RecordingTarget(path: $0, replacing: force) }
    try await options.session(recording: recording, duration: duration).runShown(options.view)
  }
}
