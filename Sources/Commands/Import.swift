import ArgumentParser
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Stress
import Terminal

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", _superCommandName: Stressmon.name,
    abstract: localized("Import sessions from files, including files of other programs."),
    discussion: localized(
      """
      Reads recordings, RR text (Elite HRV and many others), FIT, HRV Logger, Polar Sensor Logger, Polar HRM (Kubios), \
      Apple Health, captures of Bluetooth traffic, EDF+, WFDB, BIDS, Open mHealth, XDF, and exported files; \
      docs/reference/formats.md lists the details. Each file is stored completely or not at all; importing it again \
      adds nothing. A backup of 'stressmon export --all' is restored into an empty history. With --as morning, \
      readings of Elite HRV, Kubios, Polar and others also become morning readings; sessions that the history contains \
      already are not stored again, but added to the mornings. With --as night, the night in a session counts at any \
      time of the day; nights between 21:00 and 09:00 are found in any session.
      """) + "\n"
      + examples(
        "stressmon import morning.fit",
        "stressmon import rr.txt --at 2026-11-20T07:30",
        "stressmon import apple_health_export.zip --dry-run",
        "stressmon import lab.xdf",
        "stressmon import 2026-*.txt --as morning --dry-run",
        "stressmon import night.txt --at 2026-11-20T23:10 --as night"))

  @Argument(
    help: ArgumentHelp(localized("The files to import; '-' is standard input."), valueName: "file"),
    completion: Completions.files)
  var files: [String]

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The start of a session without a start time: a time, or 'file' for the modification time of the file.
        """),
      valueName: "time|file"), completion: .list(["file"]))
  var at: BeginningArgument?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      localized("What the sessions also are: morning readings or nights."), valueName: "morning|night"))
  var purpose: ImportPurpose?

  @Option(name: .long, help: .localized("With --as morning: the posture (default: lying)."))
  var posture: MorningPosture?

  @Flag(name: .long, help: .localized("Show what would be imported, and store nothing."))
  var dryRun = false

  @Flag(name: .long, help: .localized("Print one JSON object per session."))
  var json = false

  @OptionGroup(title: localized("Input options")) var input: FileOptions
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if case .time(let start)? = at { try EntryOptions.requirePast(start, now: SystemClock.wall) }
    guard posture != nil, purpose != .morning else { return }
    throw ValidationError.requires("--posture", "--as morning", example: "--as morning --posture sitting")
  }

  func run() throws {
    let context = try CommandContext()
    let location = try store.location(context)
    // Without --profile, a file names the profile, which is created.
    if store.profile != nil { _ = try store.existingProfile(context) }
    let importer = SessionImporter(
      input: input, at: at, profile: store.profile?.name, usualProfile: store.profileName(context),
      location: location, storeInterval: context.configuration.storeInterval,
      morning: purpose == .morning ? posture ?? .lying : nil, isNight: purpose == .night, isDry: dryRun,
      environment: context.environment)
    var report = ImportReport(isJSON: json)
    var failures: [CommandFailure] = []
    for file in files {
      do {
        try importer.run(file) { try report.print($0) }
      } catch OutputError.closedPipe {
        throw OutputError.closedPipe
      } catch {
        guard let failure = CommandFailure(error) else { throw error }
        failures.append(failure)
      }
    }
    if report.hasScores, !dryRun { report.printOrderNotice() }
    if let failure = CommandFailure(all: failures) { throw failure }
  }
}

/// What imported sessions are besides sessions.
enum ImportPurpose: String, ExpressibleByArgument, CaseIterable, Sendable {
  case morning
  case night
}

/// The start of a session whose file does not state it.
enum BeginningArgument: ExpressibleByArgument, Equatable, Sendable {
  case time(WallTime)
  /// The modification time of the file is the end of the session.
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
