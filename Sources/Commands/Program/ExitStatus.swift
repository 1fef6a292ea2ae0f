/// The exit codes of the program; the manual lists them.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  /// No strap was found, or the link failed.
  case noStrap = 2
  /// A file or an input has invalid content.
  case badData = 3
  case usage = 64
}

/// The failure of a command: the exit code, and the message with the remedy for stderr.
struct CommandFailure: Error, CustomStringConvertible {
  var status: ExitStatus
  var description: String

  init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }

  /// Several failures as one, without duplicate messages; nil for no failures. The exit code is that of the first.
  init?(all failures: [CommandFailure]) {
    guard let first = failures.first else { return nil }
    var descriptions: [String] = []
    for failure in failures where !descriptions.contains(failure.description) {
      descriptions.append(failure.description)
    }
    self.init(first.status, descriptions.joined(separator: "\n"))
  }
}
