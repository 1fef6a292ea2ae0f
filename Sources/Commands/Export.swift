import ArgumentParser
import Formats
import HeartRate
import History
import Localization
import NetworkCommands
import Platform
import Reports
import Terminal

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", _superCommandName: Stressmon.name,
    abstract: localized("Export sessions of the history to files, or back up the history."),
    discussion: localized(
      """
      jsonl and csv files and bids folders contain any number of sessions; the other formats write one file per \
      session (wfdb two). Without --format, the extension of --output determines the format: csv, jsonl, txt (rr), hrm \
      (kubios), fit, edf, hea (wfdb) or json (open-mhealth). Without a file name, files are named by the local date \
      and time of their start, such as 2026-11-20_07-30-00.fit. docs/reference/formats.md lists what each format \
      keeps. Files are written atomically. --all copies the whole history; 'stressmon import' restores it. intervals and \
      hrv4training write one row per day with the values of the morning reading, for training logs. 'stressmon collect \
      export' exports a participant of a fleet.
      """) + "\n"
      + examples(
        "stressmon export --output heart.csv",
        "stressmon export --format csv --from 2026-11-01 --output november.csv",
        "stressmon export --format fit --session 01K --output run.fit",
        "stressmon export --format rr --week --output rr/",
        "stressmon export --session 01K --output rest.edf",
        "stressmon export --format wfdb --session 01K --output rest.hea",
        "stressmon export --format bids --month --output dataset/",
        "stressmon export --format bids --profile ben --participant 02 --output dataset/",
        "stressmon export --format intervals --output wellness.csv",
        "stressmon export --all --output backup.db"))

  @Option(
    name: .long,
    help: .localized("The file format (default: by the extension of --output); kubios is a Polar HRM file."))
  var format: ExportFormat?

  @Flag(name: .long, help: .localized("Copy the whole history with all profiles."))
  var all = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      localized(
        """
        The file to write, or a folder for files named by date and time (default: the current folder); '-' is standard \
        output.
        """),
      valueName: "file"), completion: Completions.files)
  var output: String?

  @Flag(
    name: .long,
    help: .localized(
      "Replace existing files; of a BIDS dataset, only those of the same participant and session."))
  var force = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        With --format bids: the code of the person, which becomes the label sub-CODE (default for a new dataset: 01; \
        required for an existing one).
        """),
      valueName: "code"))
  var participant: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("With --format bids: the label of the session (default: its local start)."),
      valueName: "name"))
  var sessionLabel: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("With --format bids: the label of the task (default: monitoring)."), valueName: "label"))
  var task: String?

  @OptionGroup(title: localized("Filter options")) var selection: SessionSelection
  @OptionGroup(title: commonOptions) var store: StoreOptions

  func validate() throws {
    if format != nil, all { throw ValidationError.exclusive("--format", "--all") }
    if !all, chosenFormat == nil {
      throw ValidationError(
        Phrase(
          """
          export requires --format, --all, or an --output with the extension csv, jsonl, txt, hrm, fit, edf, hea or json. \
          Example: stressmon export --output heart.csv
          """))
    }
    if let format = chosenFormat, format.hasSeveralFiles, output == "-" {
      throw ValidationError(
        Phrase("--format \(format.rawValue) writes several files: name a folder with --output FOLDER/"))
    }
    if let format = chosenFormat, format.isDaily,
      let other = selection.session.isEmpty ? selection.filter.measurementOption : "--session"
    {
      throw ValidationError.exclusive("--format \(format.rawValue)", other)
    }
    if chosenFormat == .bids, output == nil {
      throw ValidationError.requires(
        "--format bids", "--output", example: "export --format bids --output dataset/")
    }
    if let participant {
      guard chosenFormat == .bids else {
        throw ValidationError.requires(
          "--participant", "--format bids",
          example: "export --format bids --participant P01 --output dataset/")
      }
      guard BIDSParticipant(participant) != nil else {
        throw ValidationError(
          Phrase(
            """
            --participant '\(participant.printable)' cannot be a label of BIDS: use 1 to 64 of the characters A-Z a-z 0-9. \
            Example: --participant P01
            """))
      }
    }
    for (option, label) in [("--session-label", sessionLabel), ("--task", task)] {
      guard let label else { continue }
      guard chosenFormat == .bids else {
        throw ValidationError.requires(
          option, "--format bids", example: "export --format bids \(option) rest --output dataset/")
      }
      guard BIDSDataset.label(label) == label else {
        throw ValidationError(
          Phrase(
            "\(option) '\(label.printable)' is not a label: use letters and digits. Example: \(option) rest"))
      }
    }
    if sessionLabel != nil, selection.session.count != 1 {
      throw ValidationError.requires(
        "--session-label", "--session", example: "--session 01K --session-label pre")
    }
    if all, output == nil {
      throw ValidationError.requires("--all", "--output", example: "export --all --output backup.db")
    }
    if all, selection.isGiven {
      throw ValidationError(Phrase("--all copies every session: leave out --session and the filter options."))
    }
    if all, store.profile != nil {
      throw ValidationError(Phrase("--all copies every profile: leave out --profile."))
    }
    if all, output == "-" {
      throw ValidationError(Phrase("--all cannot write to standard output. Example: --output backup.db"))
    }
  }

  func run() throws {
    let stored = try ProfileHistory(store)
    guard let format = chosenFormat else { return try backUp(stored.location, to: output ?? "") }
    guard let reader = try stored.reader() else {
      throw CommandFailure(
        .failed,
        Phrase(
          "nothing is stored in \(stored.location.path) yet. Take a reading with: \("stressmon measure")"))
    }
    if format.isDaily { return try exportDays(of: stored.profile, reader, format) }
    let sessions = try selection.sessions(in: stored, reader)
    guard !sessions.isEmpty else {
      throw CommandFailure(
        .failed,
        Phrase(
          "no session of '\(stored.profile)' matches the selection. List the sessions with: \("stressmon history --sessions")"
        )
      )
    }
    if format == .bids {
      return try BIDSExport(
        reader: reader, environment: .current, session: sessionLabel, task: task,
        participant: participant.flatMap(BIDSParticipant.init)
      ).write(sessions, to: output ?? "", replacing: force)
    }
    let destination = try ExportDestination(
      output: output ?? "./", replacing: force, sessions: sessions.map(\.info), format: format)
    try SessionExport(format: format, reader: reader, environment: .current).write(sessions, to: destination)
  }

  /// Writes one row per day, by default since the first session.
  private func exportDays(of profile: String, _ reader: HistoryReader, _ format: ExportFormat) throws {
    let times = selection.filter.times
    var days = try times.days(usual: 1)
    if times.from == nil, times.to != nil || !times.isGiven,
      let first = try reader.sessions(of: profile, limit: .max).last?.info.started
    {
      days = min(LocalCalendar.system.day(of: first), days.upperBound)...days.upperBound
    }
    let values = try DailyValues(reader, of: profile, in: days, .system).days
    var destination = try ExportDestination(
      output: output ?? "./", replacing: force, sessions: [], format: format)
    do {
      try destination.write(
        format == .intervals ? TrainingLog.intervals(values) : TrainingLog.hrv4Training(values), of: nil)
      try destination.finish()
    } catch {
      destination.discard()
      throw error
    }
  }

  /// The format of the command line, else that of the extension of the output. A backup has none.
  private var chosenFormat: ExportFormat? {
    all ? nil : format ?? output.flatMap(ExportFormat.init(extensionOf:))
  }

  private func backUp(_ location: StoreLocation, to output: String) throws {
    let file = try OutputFile(path: output, replacing: force)
    do {
      guard try HistoryBackup.write(location, to: file.temporaryPath) else {
        throw CommandFailure(
          .failed,
          Phrase("nothing is stored in \(location.path) yet. Take a reading with: \("stressmon measure")"))
      }
    } catch {
      file.discard()
      throw error
    }
    try file.finish()
    printDiagnostic("stressmon: " + localized("wrote a copy of \(location.path) to \(output.printable)"))
  }
}

/// The formats of exported sessions.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case csv
  case jsonl
  case rr
  case kubios
  case fit
  case edf
  case wfdb
  case bids
  case openMHealth = "open-mhealth"
  case intervals
  case hrv4training
  case recording

  static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// The format of a file by the extension of its name: `jsonl` is JSON Lines. An unknown extension has none.
  init?(extensionOf path: String) {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let point = name.dropFirst().lastIndex(of: ".") else { return nil }
    let ending = name[point...].dropFirst().lowercased()
    guard
      let format = Self.allCases.first(where: {
        ![.recording, .bids].contains($0) && !$0.isDaily && $0.fileExtension == ending
      })
    else { return nil }
    self = format
  }

  /// The file extension without its dot.
  var fileExtension: String {
    switch self {
    case .csv, .intervals, .hrv4training: "csv"
    case .jsonl, .recording: "jsonl"
    case .rr: "txt"
    case .kubios: "hrm"
    case .fit: "fit"
    case .edf: "edf"
    case .wfdb: "hea"
    case .bids, .openMHealth: "json"
    }
  }

  /// Whether a file can contain several sessions.
  var holdsSeveral: Bool { self == .csv || self == .jsonl || self == .bids || isDaily }

  /// Whether a file contains one row per day, for training logs.
  var isDaily: Bool { self == .intervals || self == .hrv4training }

  /// Whether a session is several files, which standard output cannot contain.
  var hasSeveralFiles: Bool { self == .wfdb || self == .bids }
}

/// A selection of the sessions of a profile.
struct SessionSelection: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("Only this session, by the beginning of its ID; may be repeated."), valueName: "id"),
    completion: Completions.sessions)
  var session: [String] = []

  @OptionGroup var filter: HistoryFilterOptions

  func validate() throws {
    if !session.isEmpty, filter.isGiven {
      throw ValidationError(
        Phrase("--session and the filter options exclude each other: leave out one of them."))
    }
  }

  var isGiven: Bool { !session.isEmpty || filter.isGiven }

  /// The selected sessions, oldest first; those of `--session` in the order of the options.
  func sessions(in stored: ProfileHistory, _ reader: HistoryReader) throws -> [StoredSession] {
    guard session.isEmpty else { return try session.map { try stored.session($0) } }
    let found = try reader.sessions(of: stored.profile, matching: filter.filter, limit: .max)
    return found.reversed().filter { $0.events > 0 }
  }
}
