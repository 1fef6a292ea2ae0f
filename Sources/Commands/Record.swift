import ArgumentParser
import HeartRate
import Localization
import NetworkCommands
import Platform
import Session

struct Record: WaitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
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

  @Flag(
    name: .long,
    help: .localized("Also record the electrocardiogram of the strap (Polar H10), about 2 MB per hour."))
  var ecg = false

  @OptionGroup(title: commonOptions) var options: SessionOptions

  func validate() throws {
    if ecg, options.source.simulate {
      throw ValidationError(
        Phrase("--ecg needs a real strap: the simulated strap has no electrocardiogram."))
    }
    try duration?.duration.requireAtLeast(.seconds(1), "--duration", example: "5m")
  }

  func perform() async throws {
    let (configuration, environment) = (try Configuration(environment: .current), ProcessEnvironment.current)
    var setup = try options.setup(configuration, environment)
    setup.duration = duration?.duration
    setup.recording = RecordingTarget(path: file, replacesFile: force)
    if ecg { setup.source.add(.ecg) }
    try await SessionView(
      setups: [setup], labels: [], options: options.view, environment: environment,
      configuration: configuration
    ).run()
  }
}
