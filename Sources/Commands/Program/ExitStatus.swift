/// What the program's exit code says; the manual lists them.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  /// No strap, or no link to it.
  case noStrap = 2
  /// A file or an input that does not hold what it should.
  case badData = 3
  case usage = 64
}

/// An end of a command that is not success: what happened and what to do, for stderr.
struct CommandFailure: Error, CustomStringConvertible {
  var status: ExitStatus
  var description: String

  init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }

  /// Several failures as one, each told once; nil without any. The first decides about the exit code.
  init?(all failures: [CommandFailure]) {
    guard let first = failures.first else { return nil }
    var descriptions: [String] = []
    for failure in failures where !descriptions.contains(failure.description) {
      descriptions.append(failure.description)
    }
    self.init(first.status, descriptions.joined(separator: "\n"))
  }
}
