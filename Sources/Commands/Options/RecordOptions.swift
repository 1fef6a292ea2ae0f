import ArgumentParser
import Session

/// The recording of a session that is also displayed.
struct RecordOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Also record the session to this file.", valueName: "file"),
    completion: Completions.files)
  var record: String?

  @Flag(name: .long, help: "With --record: replace the file if it exists.")
  var force = false

  func validate() throws {
    if force, record == nil {
      throw ValidationError.requires("--force", "--record", example: "--record morning.jsonl --force")
    }
  }

  /// The file to write; nil without `--record`.
  var target: RecordingTarget? { record.map { RecordingTarget(path: $0, replacesFile: force) } }
}
