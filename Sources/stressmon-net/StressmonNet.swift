import ArgumentParser
import Glibc
import Platform

/// The program for the network: `stressmon serve` replaces itself with it.
struct StressmonNet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stressmon-net",
    abstract: "The network commands of stressmon.",
    discussion: """
      Use it through stressmon: 'stressmon serve' runs 'stressmon-net serve'.

      Example: stressmon serve
      """,
    version: programVersion, subcommands: [Serve.self])
}

/// Runs `serve` as a command of stressmon, so that help and errors name the command that the user typed.
@main enum Main {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "serve" {
      await Serve.main(Array(arguments.dropFirst()))
    } else {
      await StressmonNet.main()
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
