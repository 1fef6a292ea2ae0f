import ArgumentParser
import HeartRate
import History
import Recording
import Terminal

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write sessions of the history to files, for other programs or for safe keeping.",
    discussion: """
      jsonl and csv hold any number of sessions; in the other formats, each session gets a file of its own, named after \
      it. docs/formats.md lists what each format keeps. A file appears when it is complete. --all copies the whole \
      history, and import restores it.
      Example: stressmon export --format csv --from 2026-11-01 --output november.csv
      Example: stressmon export --format fit --session 01K --output run.fit
      Example: stressmon export --format rr --week --output rr/
      Example: stressmon export --all --output backup.db
      """)

  @Option(name: .long, help: "What to write; kubios is a Polar HRM file.")
  var format: ExportFormat?

  @Flag(name: .long, help: "A copy of the whole history: all profiles, everything.")
  var all = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or a folder for files named after their sessions; '-' is standard output.",
      valueName: "file"))
  var output: String

  @Flag(name: .long, help: "Replace files that exist.")
  var force = false

  @OptionGroup(title: "Which") var selection: SessionSelection
  @OptionGroup(title: "Person and store") var store: StoreOptions

  func validate() throws {
    guard (format == nil) == all else { throw ValidationError("Say one of --format and --all.") }
    if all, selection.isGiven {
      throw ValidationError("--all copies everything: leave out what selects sessions.")
    }
    if all, store.profile != nil { throw ValidationError("--all copies all profiles: leave out --profile.") }
    if all, output == "-" { throw ValidationError("--all needs the name of a file.") }
  }

  func run() throws {
    let place = try Place(store)
    guard let format else { return try backUp(place.location) }
    guard let reader = try place.reader() else {
      throw CommandFailure(
        .failed, "nothing is stored in \(place.location.path) yet. Take a reading with: stressmon measure")
    }
    let sessions = try selection.sessions(in: place, reader)
    guard !sessions.isEmpty else {
      throw CommandFailure(
        .failed, "no session of '\(place.profile)' is meant. See them with: stressmon history --sessions")
    }
    let outlets = try ExportOutlets(
      output: output, replacing: force, sessions: sessions.map(\.info.id), format: format)
    try SessionExport(format: format, reader: reader, surroundings: .current).write(sessions, to: outlets)
  }

  private func backUp(_ location: StoreLocation) throws {
    let file = try PlacedFile(path: output, replacing: force)
    do {
      guard try HistoryBackup.write(location, to: file.temporaryPath) else {
        throw CommandFailure(.failed, "nothing is stored in \(location.path) yet: there is nothing to copy")
      }
      try file.place()
    } catch {
      file.discard()
      throw error
    }
    say("stressmon: wrote a copy of \(location.path) to \(output.printable)")
  }
}

/// What sessions can be written in.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case csv
  case jsonl
  case rr
  case kubios
  case fit
  case recording

  static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// What the names of its files end with, without the point.
  var fileExtension: String {
    switch self {
    case .csv: "csv"
    case .jsonl, .recording: "jsonl"
    case .rr: "txt"
    case .kubios: "hrm"
    case .fit: "fit"
    }
  }

  /// Whether one file holds any number of sessions.
  var holdsSeveral: Bool { self == .csv || self == .jsonl }
}
