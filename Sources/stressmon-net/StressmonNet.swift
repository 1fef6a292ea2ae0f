import ArgumentParser
import Glibc
import Platform

/// The program for the network: `stressmon serve` and `stressmon publish` replace themselves with it.
struct StressmonNet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stressmon-net",
    abstract: "The network commands of stressmon.",
    discussion: """
      Use it through stressmon: 'stressmon serve' runs 'stressmon-net serve', and 'stressmon publish' runs 'stressmon-net \
      publish'.

      Example: stressmon serve
      """,
    version: programVersion, subcommands: [Serve.self, Publish.self])
}

/// Runs its commands as commands of stressmon, so that help and errors name the command that the user typed.
@main enum Main {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "serve": await Serve.main(rest)
    case "publish": await Publish.main(rest)
    default: await StressmonNet.main()
    }
  }
}

/// Writes a line to standard error.
func printDiagnostic(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Writes a line to standard output, unbuffered.
func printLine(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Ends the process after an error, with the message on standard error.
func fail(_ message: String, status: Int32 = 1) -> Never {
  printDiagnostic("stressmon: \(message)")
  exit(status)
}

/// Ends the process with the signal, so that the parent process sees the cause.
func endProcess(with number: Int32) -> Never {
  signal(number, SIG_DFL)
  var own = sigset_t()
  unsafe sigemptyset(&own)
  unsafe sigaddset(&own, number)
  unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
  raise(number)
  Glibc.exit(128 + number)
}
