import ArgumentParser
import HeartRate
import Localization
import NetworkCommands
import Platform
import Session

struct Record: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", _superCommandName: Stressmon.name,
    abstract: localized("Record a session to a file and to the history."),
    discussion: localized(
      """
      At most the last second is lost on a power failure. Read the file with 'stressmon analyze' or 'stressmon \
      replay'.
      """) + "\n"
      + examples("stressmon record morning.jsonl --duration 5m"))

  @Argument(help: .localized("The file to create."), completion: Completions.files)
  var file: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("End after this time, for example 90s, 5m or 1h30m (default: at Ctrl-C)."),
      valueName: "duration"))
  var duration: DurationArgument?

  @Flag(name: .long, help: .localized("Replace the file if it exists."))
  var force = false

  @OptionGroup var electrocardiogram: ECGOption

  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    try electrocardiogram.validate(options)
    try duration?.duration.requireAtLeast(.seconds(1), "--duration", example: "5m")
  }

  func perform() async throws {
    let context = try CommandContext()
    var setup = try options.setup(context)
    setup.duration = duration?.duration
    setup.recording = RecordingTarget(path: file, replacesFile: force)
    electrocardiogram.add(to: &setup)
    try await SessionView(
      setups: [setup], labels: [], options: options.view, context: context
    ).run()
  }
}
