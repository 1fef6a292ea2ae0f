import Glibc
import Localization
import Platform
import Terminal

/// The program with the network commands: `stressmon-net` in the directory of this program, or in `libexec/stressmon`
/// beside it.
enum NetworkProgram {
  static let name = "stressmon-net"

  /// Replaces this process, which keeps its ID, because this program contains no network code. Returns only if that fails.
  /// - Parameter arguments: the arguments of this process, which begin with a network command.
  static func replaceProcess(_ arguments: [String]) throws {
    throw failure(execute(arguments))
  }

  /// - Returns: The error number of the last attempt.
  private static func execute(_ arguments: [String]) -> CInt {
    // Not freed: the process is replaced, or ends with an error.
    var vector = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
    var error = ENOENT
    for path in paths {
      unsafe execv(path, &vector)
      if errno != ENOENT { error = errno }
    }
    return error
  }

  private static func failure(_ error: CInt) -> CommandFailure {
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
