import ArgumentParser
import Glibc
import Localization
import Platform
import Terminal

/// Replaces the process with `stressmon-net serve`, so that this program contains no network code.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", _superCommandName: Stressmon.name,
    abstract: "Serve live values, history and API on this machine over HTTP (stressmon-net).",
    discussion: """
      Runs the program stressmon-net, which listens on 127.0.0.1 and ::1 only. The first line of the output is the URL with \
      its token. 'stressmon serve --help' lists all options.
      Example: stressmon serve
      Example: stressmon serve --simulate                a simulated session, without a strap
      Example: stressmon serve token add obs --scope hr  a permanent token for one purpose
      Example: stressmon serve url                       the URL of the running server
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The options of stressmon-net serve.", valueName: "options"))
  var arguments: [String] = []

  func run() throws {
    throw NetworkProgram.failure(NetworkProgram.replaceProcess(["serve"] + arguments))
  }
}

/// The program with the network commands: `stressmon-net` in the directory of this program, or in `libexec/stressmon`
/// beside it.
enum NetworkProgram {
  static let name = "stressmon-net"

  /// Replaces this process, which keeps its ID. Returns only if that fails.
  /// - Returns: The error number of the last attempt.
  static func replaceProcess(_ arguments: [String]) -> CInt {
    // Not freed: the process is replaced, or ends with an error.
    var vector = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
    var error = ENOENT
    for path in paths {
      unsafe execv(path, &vector)
      if errno != ENOENT { error = errno }
    }
    return error
  }

  static func failure(_ error: CInt) -> CommandFailure {
    guard error == ENOENT else {
      return CommandFailure(
        .failed, unsafe Phrase("\(name) cannot be run: \(String(cString: strerror(error)))"))
    }
    return CommandFailure(
      .failed,
      Phrase(
        """
        the program \(name) is not installed: it is neither in \(folder) nor in libexec/stressmon. Install the package \
        \(name), or build it with: \("make build")
        """))
  }

  private static var paths: [String] { ["\(folder)/\(name)", "\(folder)/../libexec/stressmon/\(name)"] }

  private static var folder: String { Folder.ofProgram }
}
