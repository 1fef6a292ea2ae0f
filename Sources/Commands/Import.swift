import ArgumentParser
import HeartRate
import History
import Recording

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Store sessions of files in the history, yours and those of other programs.",
    discussion: """
      Recordings, RR text (Elite HRV and many others), FIT, HRV Logger, Polar Sensor Logger, Polar HRM (Kubios), Apple \
      Health, captures of Bluetooth traffic, and what export writes; docs/formats.md says what is read of each. A file is \
      stored whole or not at all, and a second time adds nothing. A copy made by export --all is restored into an empty \
      history.
      Example: stressmon import morning.fit
      Example: stressmon import rr.txt --at 2026-11-20T07:30
      Example: stressmon import apple_health_export.zip --dry-run
      """)

  @Argument(help: ArgumentHelp("The files; '-' is standard input.", valueName: "file"))
  var files: [String]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "When it began, if the file does not say; 'file': by the time of the file.", valueName: "time|file"))
  var at: BeginningArgument?

  @Flag(name: .long, help: "Say what would be stored, and store nothing.")
  var dryRun = false

  @Flag(name: .long, help: "One JSON object per session.")
  var json = false

  @OptionGroup(title: "Input") var input: FileOptions
  @OptionGroup(title: "Person and store") var store: StoreOptions

  func run() throws {
    let surroundings = Surroundings.current
    let configuration = try Configuration(surroundings: surroundings)
    let location = try store.location(configuration, surroundings)
    let intake = Intake(
      input: input, at: at, profile: store.profile?.name, usualProfile: store.profileName(configuration),
      location: location, thinning: configuration.storeInterval, isDry: dryRun, surroundings: surroundings)
    let report = ImportReport(isJSON: json)
    var failures: [CommandFailure] = []
    for file in files {
      do {
        try intake.take(file) { try report.tell($0) }
      } catch let error as ClosedPipe {
        throw error
      } catch {
        guard let failure = CommandFailure(error) else { throw error }
        failures.append(failure)
      }
    }
    if let failure = CommandFailure(all: failures) { throw failure }
  }
}

/// When the session of a file began that does not say so itself.
enum BeginningArgument: ExpressibleByArgument, Equatable, Sendable {
  case time(WallTime)
  /// The file was written when the session ended.
  case file

  init?(argument: String) {
    if argument == "file" {
      self = .file
    } else if let time = LocalTime.parse(argument[...]) {
      self = .time(time)
    } else {
      return nil
    }
  }
}
