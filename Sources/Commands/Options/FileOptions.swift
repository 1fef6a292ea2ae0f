import ArgumentParser
import Formats
import Localization
import NetworkCommands
import Recording
import Reports
import Session
import Terminal

/// How a file of sessions is read.
struct FileOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The format of the file (default: detected from its content)."), valueName: "format"))
  var format: FileFormat?

  @Option(
    name: .long, help: .localized("The unit of RR text (default: s if most numbers are below 10, else ms)."))
  var unit: RRText.Unit?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The column of a table that holds RR intervals: its heading, or its number from 1 on (default: found from all \
        lines).
        """),
      valueName: "name|n"))
  var column: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized(
        """
        The column of a table that holds the times of the intervals, which show gaps: its heading, or its number (default: \
        found from its heading and the intervals).
        """),
      valueName: "name|n"))
  var timeColumn: String?

  @Flag(
    name: .long, help: .localized("Skip lines of text that contain no RR interval, and report their count."))
  var skipBadLines = false

  /// Opens a file.
  func open(_ path: String) throws -> SessionFile {
    var options = RRText.Options(unit: unit, skipsBadLines: skipBadLines, column: column)
    options.timeColumn = timeColumn
    return try SessionFile(path: path, format: format, options: options)
  }
}

// Without descriptions of their own, or each start would compare all values with what they are called.

extension RRText.Unit: ExpressibleByArgument {
  static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  static var allValueDescriptions: [String: String] { [:] }
}

extension FileFormat: ExpressibleByArgument {
  // Only import can read a copy of a history, which is recognised without this option.
  static var allValueStrings: [String] { allCases.filter { $0 != .backup }.map { $0.rawValue } }
  static var allValueDescriptions: [String: String] { [:] }
}

/// Prints a problem of a file that does not prevent reading the rest to standard error.
@Sendable func reportProblem(_ problem: String) { printDiagnostic("stressmon: \(problem.printable)") }

/// The recording of a session that is also displayed.
struct RecordOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp(localized("Also record the session to this file."), valueName: "file"),
    completion: Completions.files)
  var record: String?

  @Flag(name: .long, help: .localized("With --record: replace the file if it exists."))
  var force = false

  func validate() throws {
    if force, record == nil {
      throw ValidationError.requires("--force", "--record", example: "--record morning.jsonl --force")
    }
  }

  /// The file to write, if `--record` is given.
  var target: RecordingTarget? { record.map { RecordingTarget(path: $0, replacesFile: force) } }
}
