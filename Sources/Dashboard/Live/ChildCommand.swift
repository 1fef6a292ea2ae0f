import Localization
import Subprocess
import SystemPackage

/// Runs a command of `stressmon` to its end, with a time limit.
struct ChildCommand: Sendable {
  /// The result of a command.
  struct Outcome: Sendable {
    let succeeded: Bool
    let output: [UInt8]
    /// What the command printed to standard error.
    let message: String

    /// The reason of a failure: the first line of the message that is not progress.
    var reason: String {
      let lines = message.split(whereSeparator: \.isNewline).map(String.init)
      let line = lines.first { $0.hasPrefix("stressmon:") || $0.hasPrefix("Error:") } ?? lines.last ?? ""
      return line.withoutProgramName
    }
  }

  let program: MeasuringProgram
  let kind: ChildLimit.Kind
  /// Limit of the output in bytes.
  var outputLimit = 1 << 20
  /// The language of its messages; nil for that of the server.
  private let language: Language?
  private let timeout: Duration

  /// - Parameter timeout: the time limit; nil for that of the program.
  init(
    _ program: MeasuringProgram, _ kind: ChildLimit.Kind, in language: Language? = nil,
    timeout: Duration? = nil
  ) {
    (self.program, self.kind, self.language) = (program, kind, language)
    self.timeout = timeout ?? program.timeLimit
  }

  /// Runs a command, which receives SIGTERM when the time is over.
  /// - Returns: nil if the time is over.
  /// - Throws: ``Problem`` 503 if too many commands are running.
  func run(_ arguments: [String]) async throws -> Outcome? {
    try await program.children.run(kind) { await limited(arguments) }
  }

  private func limited(_ arguments: [String]) async -> Outcome? {
    await withTaskGroup(of: Outcome?.self) { group in
      group.addTask { await execute(arguments) }
      group.addTask {
        try? await Task.sleep(for: timeout)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }

  private func execute(_ arguments: [String]) async -> Outcome {
    var options = PlatformOptions()
    options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(3))]
    do {
      let result = try await Subprocess.run(
        .path(FilePath(program.path)), arguments: Arguments(arguments),
        environment: program.environment(in: language),
        platformOptions: options,
        input: MeasuringProgram.input, output: .bytes(limit: outputLimit), error: .string(limit: 1 << 16))
      return Outcome(
        succeeded: result.terminationStatus.isSuccess, output: result.standardOutput,
        message: result.standardError)
    } catch {
      return Outcome(succeeded: false, output: [], message: String(describing: error))
    }
  }
}

extension String {
  /// A message of the program as a sentence of a page: without `stressmon: `, and with a capital letter.
  var withoutProgramName: String {
    let prefix = ["stressmon: ", "Error: "].first { hasPrefix($0) } ?? ""
    let text = dropFirst(prefix.count)
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}
