import Subprocess
import SystemPackage

/// Runs `stressmon` as a child process.
package struct MeasuringProgram: Sendable {
  /// The path of the program.
  package let path: String
  /// The database and the profile of its sessions.
  package let database: String
  package let profile: String

  package init(path: String, database: String, profile: String) {
    (self.path, self.database, self.profile) = (path, database, profile)
  }

  /// Runs a live session until the task is cancelled; the session then receives SIGTERM and stores its data.
  /// - Returns: What the program printed to standard error, and whether it succeeded.
  func runLive(isSimulated: Bool) async -> (succeeded: Bool, message: String) {
    var arguments = ["live", "--json", "--db", database, "--profile", profile]
    if isSimulated { arguments.append("--simulate") }
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
    do {
      let result = try await run(
        .path(FilePath(path)), arguments: Arguments(arguments), platformOptions: options, input: .none,
        output: .discarded, error: .string(limit: 1 << 16))
      return (result.terminationStatus.isSuccess, result.standardError)
    } catch {
      return (false, "\(error)")
    }
  }

  /// The output of a command that prints one JSON document; nil if it fails.
  package func output(_ arguments: [String]) async -> [UInt8]? {
    let result = try? await run(
      .path(FilePath(path)), arguments: Arguments(arguments), input: .none, output: .bytes(limit: 1 << 20),
      error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput
  }
}
