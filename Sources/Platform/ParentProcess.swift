import Dispatch
import Glibc

/// The program that started this one, such as the web server, and that keeps the other end of standard input open.
package enum ParentProcess {
  /// The environment variable that a parent sets to end this process together with itself.
  package static let variable = "STRESSMON_END_WITH_STDIN"

  /// Sends SIGTERM to this process when standard input ends: a pipe ends when its writer ends in any way, also by a crash.
  /// Does nothing unless the environment requests it.
  package static func endWithStandardInput(_ environment: ProcessEnvironment) {
    guard environment[variable] == "1" else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
    source.setEventHandler {
      // The pipe contains no bytes, so it is readable only at its end.
      source.cancel()
      kill(getpid(), SIGTERM)
    }
    source.activate()
  }
}
