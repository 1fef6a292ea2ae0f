import Glibc
import Localization
import Platform
import Session
import Terminal

/// The exit codes of the program, as in the manual.
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  /// No strap was found, or the link failed.
  case noStrap = 2
  /// Invalid content of a file or an input.
  case badData = 3
  case usage = 64
}

/// The failure of a command: its exit status, and a message for standard error with the cause and the remedy.
struct CommandFailure: Error, CustomStringConvertible {
  let status: ExitStatus
  let message: Phrase

  init(_ status: ExitStatus, _ message: Phrase) {
    self.status = status
    self.message = message
  }

  /// A failure whose message is not translated.
  init(_ status: ExitStatus, untranslated message: String) {
    self.init(status, Phrase(untranslated: message))
  }

  /// Combines failures into one, without duplicate messages. The first failure determines the exit status. Returns `nil` for an empty
  /// list.
  init?(all failures: [CommandFailure]) {
    guard let first = failures.first else { return nil }
    var messages: [Phrase] = []
    for failure in failures where !messages.contains(failure.message) { messages.append(failure.message) }
    let separator = "\n"
    self.init(first.status, Phrase(joining: messages, separator: separator))
  }

  /// The message in English.
  var description: String { Language.english.text(message) }

  /// Prints the message to standard error.
  func print() {
    printDiagnostic("stressmon: \(ProcessEnvironment.current.text(message).withoutControlCharactersInLines)")
  }
}

extension Phrase {
  /// The message of an error; the description of an error that is not a failure of the program.
  init(of error: any Error) {
    self = CommandFailure(error)?.message ?? Phrase(untranslated: String(describing: error))
  }
}

extension Interruption {
  /// Ends the process with the signal, to show the parent process the cause (a shell reports 128 + signal: 130 for Ctrl-C).
  func endProcess() -> Never {
    Glibc.signal(signal, SIG_DFL)
    // Threads of the concurrency runtime block signals, so the signal would stay pending.
    var own = sigset_t()
    unsafe sigemptyset(&own)
    unsafe sigaddset(&own, signal)
    unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
    raise(signal)
    Glibc.exit(128 + signal)
  }
}
