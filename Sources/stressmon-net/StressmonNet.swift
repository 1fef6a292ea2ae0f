import ArgumentParser
import Fleet
import Formats
import Glibc
import History
import Localization
import NetworkCommands
import Outlets
import Platform

/// The program for the network: the network commands of `stressmon` replace themselves with it.
struct StressmonNet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stressmon-net",
    abstract: "The network commands of stressmon.",
    discussion: """
      Use it through stressmon: 'stressmon serve' runs 'stressmon-net serve', and so on.

      Example: stressmon serve
      """,
    version: programVersion, subcommands: NetworkCommands.all)
}

@main enum Main {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let command = parsed()
    if let command = command as? any NetworkCommand {
      await run(command.request)
    } else {
      StressmonNet.exit(withError: CleanExit.helpRequest(StressmonNet.self))
    }
  }

  /// Parses network commands as commands of stressmon: help and errors name the command that the user typed.
  private static func parsed() -> any ParsableCommand {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if VersionReport.isRequested(by: arguments) {
      printLine(
        VersionReport(
          program: "stressmon-net", libraries: [.sqlite, .zlib, .expat, .libmosquitto, .libnats, .libpq]
        ).text)
      exit(0)
    }
    let named = NetworkCommands.all.first { $0.configuration.commandName == arguments.first }
    let root: any ParsableCommand.Type = named ?? StressmonNet.self
    do {
      return try root.parseAsRoot(named == nil ? arguments : Array(arguments.dropFirst()))
    } catch {
      root.exit(withError: error)
    }
  }

  private static func run(_ request: NetworkRequest) async {
    switch request {
    case .serve(let options): await Serve(options: options).run()
    case .addToken(let name, let scope, let asJSON): ServeToken.add(name, scope, asJSON: asJSON)
    case .listTokens(let asJSON): ServeToken.list(asJSON: asJSON)
    case .removeToken(let name): ServeToken.remove(name)
    case .serverURL(let port, let asJSON): ServeURL(port: port).print(asJSON: asJSON)
    case .openPage(let page, let profile, let port): ServeURL(port: port).open(page, profile: profile)
    case .publish(let options): await Publish(options: options).run()
    case .removeDevices(let options): await Publish(options: options).remove()
    case .enroll(let code): await PublishEnrolment().run(code: code)
    case .listTargets(let asJSON): PublishList(isJSON: asJSON).run()
    case .sync(let action, let options): await SyncProgram(action: action, options: options).run()
    case .collect(let action): Collect(action: action).run()
    }
  }
}

/// Writes a message to standard error. Messages contain texts of servers and files, so unprintable characters are replaced.
/// - Parameter target: the target of `publish` that the message is about, as a field of the journal.
func printDiagnostic(
  _ text: String, _ priority: JournaldMessage.Priority = .warning, target: String? = nil
) {
  let fields = target.map { [("TARGET", $0)] } ?? []
  JournaldMessage(text.withoutControlCharactersInLines, priority, fields: fields).print()
}

/// Writes a message in the language of the process to standard error.
func printMessage(
  _ message: Phrase, _ priority: JournaldMessage.Priority = .warning, target: String? = nil
) {
  printDiagnostic("stressmon: " + localized(message), priority, target: target)
}

/// Writes a warning to standard error.
func printWarning(_ warning: Phrase) { printMessage(Phrase("warning: \(warning)")) }

/// Writes a line to standard output; see ``writeOutput(_:)``.
func printLine(_ text: String) { writeOutput(Array((text + "\n").utf8)) }

/// Writes to standard output, unbuffered. Ends the process if that fails: with the exit code 0 if the reader has closed the pipe.
func writeOutput(_ bytes: [UInt8]) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = unsafe rest.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if errno == EPIPE {
      exit(0)
    } else if errno != EINTR {
      unsafe fail(Phrase("cannot write to standard output: \(String(cString: strerror(errno)))"))
    }
  }
}

/// Ends the process after an error, with the message on standard error.
func fail(_ message: Phrase, status: Int32 = 1) -> Never {
  printMessage(message, .error)
  exit(status)
}

/// Ends the process with the signal. The parent process can then read the cause from the exit status.
func endProcess(with number: Int32) -> Never {
  signal(number, SIG_DFL)
  var own = sigset_t()
  unsafe sigemptyset(&own)
  unsafe sigaddset(&own, number)
  unsafe pthread_sigmask(SIG_UNBLOCK, &own, nil)
  raise(number)
  Glibc.exit(128 + number)
}
