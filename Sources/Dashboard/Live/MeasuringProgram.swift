import Glibc
import JSONLines
package import Localization
import Platform
import Subprocess
import SystemPackage

/// Runs `stressmon` as a child process.
package struct MeasuringProgram: Sendable {
  /// The path of the program.
  package let path: String
  /// The database and the profile of its sessions.
  package let database: String
  package let profile: String
  /// The time limit of commands whose result a page shows.
  package var timeLimit = Duration.seconds(60)
  /// Variables of the environment that differ from those of the server, by name.
  package var variables: [String: String] = [:]
  /// Limits the commands that run at the same time.
  let children = ChildLimit()

  package init(path: String, database: String, profile: String) {
    (self.path, self.database, self.profile) = (path, database, profile)
  }

  /// The environment of the commands, which end when their input ends.
  /// - Parameter language: the language of their messages; nil for that of the server.
  func environment(in language: Language? = nil) -> Environment {
    var variables = variables.merging([ParentProcess.variable: "1"]) { $1 }
    if let language { (variables["LC_ALL"], variables["LANGUAGE"]) = ("C.UTF-8", language.name) }
    return .inherit.updating(
      Dictionary(
        uniqueKeysWithValues: variables.map { (Environment.Key(stringLiteral: $0.key), Optional($0.value)) }))
  }

  /// The input of the commands.
  static var input: FileDescriptorInput {
    .fileDescriptor(FileDescriptor(rawValue: lifeline), closeAfterSpawningProcess: false)
  }

  /// The reading end of a pipe into which nothing is written, and whose writing end this process keeps open until it ends in
  /// any way.
  private static let lifeline: CInt = {
    var ends: [CInt] = [-1, -1]
    precondition(unsafe pipe(&ends) == 0, "the server creates the pipe when it starts, to read the settings")
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends[0]
  }()

  /// How a command ended.
  struct Outcome: Sendable {
    var succeeded: Bool
    /// The JSON document that the command printed; nil for a live session, and without one.
    var document: [UInt8]?
    /// What the command printed to standard error.
    var message: String
    /// The signal that ended the command; nil if it exited.
    var signal: CInt?
  }

  /// Runs an activity until it ends, or until the task is cancelled; the command then receives SIGTERM and stores its data.
  func run(_ activity: Activity) async -> Outcome {
    let arguments = Arguments(activity.arguments + ["--db=\(database)", "--profile=\(profile)"])
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
    do {
      guard activity.command != .live else {
        let result = try await Subprocess.run(
          .path(FilePath(path)), arguments: arguments, environment: environment(in: activity.language),
          platformOptions: options,
          input: Self.input,
          output: .discarded,
          error: .string(limit: 1 << 16))
        return Outcome(
          succeeded: result.terminationStatus.isSuccess, message: result.standardError,
          signal: result.terminationStatus.signal)
      }
      let result = try await Subprocess.run(
        .path(FilePath(path)), arguments: arguments, environment: environment(in: activity.language),
        platformOptions: options,
        input: Self.input,
        output: .bytes(limit: 1 << 20), error: .string(limit: 1 << 16))
      return Outcome(
        succeeded: result.terminationStatus.isSuccess, document: Self.document(result.standardOutput),
        message: result.standardError, signal: result.terminationStatus.signal)
    } catch {
      return Outcome(succeeded: false, message: String(describing: error))
    }
  }

  /// The JSON object of an output of one line; nil for any other output.
  private static func document(_ output: [UInt8]) -> [UInt8]? {
    let line = Array(output.prefix { $0 != UInt8(ascii: "\n") })
    return (try? JSONObject(line)) == nil ? nil : line
  }

  /// The output of a command that prints one JSON document; nil if it fails.
  package func output(_ arguments: [String]) async -> [UInt8]? {
    let result = try? await Subprocess.run(
      .path(FilePath(path)), arguments: Arguments(arguments), environment: environment(), input: Self.input,
      output: .bytes(limit: 1 << 20),
      error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput
  }
}

extension TerminationStatus {
  /// The signal that ended the process; nil if it exited.
  fileprivate var signal: CInt? {
    if case .signaled(let number) = self { number } else { nil }
  }
}

extension MeasuringProgram {
  /// The program that measures: in the directory of this program, or in `bin` beside its libexec directory.
  package static func find() throws(NoMeasuringProgram) -> String {
    let folder = Folder.ofProgram
    let candidates = ["\(folder)/stressmon", "\(folder)/../../bin/stressmon"]
    guard let found = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw NoMeasuringProgram(folder: folder)
    }
    return found
  }
}

/// A failure to start. The message states what to type next.
package struct NoMeasuringProgram: Error, Translatable {
  let folder: String

  /// The message in English.
  package var description: String { Language.english.text(message) }

  package var message: Phrase {
    Phrase(
      """
      the program stressmon is not in \(folder). Install the package stressmon, or copy both programs to one directory
      """)
  }
}
