package import ArgumentParser
import DBus
import Dispatch
import Formats
import Glibc
import History
import Localization
import NetworkCommands
import Platform
import Plot
import Recording
import Reports
import Session
import Strap
import Terminal

/// The program: parses the arguments, runs the command, and exits with its exit code.
package struct Stressmon: ParsableCommand {
  /// The super-command of commands that ``namedCommand()`` parses directly. With a super-command, ArgumentParser does not parse
  /// them as its two commands for completion scripts first.
  static let name = "stressmon"

  package static let configuration = CommandConfiguration(
    commandName: name,
    abstract: localized("Heart rate variability and stress from a Bluetooth LE chest strap."),
    discussion: """
      \(localized("Try it without a strap:     \("stressmon live --simulate")"))
      \(localized("Find and pair your strap:   stressmon scan, then stressmon pair"))
      \(localized("List what was measured:     \("stressmon history")"))
      \(localized("Read the manual:            man stressmon, and the files in share/doc/stressmon"))

      \(examples("stressmon live --simulate"))
      \(localized("Exit codes: 0 done, 1 failed, 2 no strap or no link, 3 bad data, 64 wrong usage, 130 interrupted."))
      """,
    version: programVersion,
    groupedSubcommands: groups.map { CommandGroup(name: localized($0.title), subcommands: $0.commands) })

  /// The commands by the heading under which help lists them.
  private static let groups: [(title: Phrase, commands: [any ParsableCommand.Type])] = [
    (
      Phrase("Measure"),
      [
        Live.self, Measure.self, MorningCommand.self, NightCommand.self, Record.self, ReplayCommand.self,
        MarkCommand.self,
      ]
    ),
    (Phrase("Breathe"), [Breathe.self, Calm.self]),
    (Phrase("Strap"), [Scan.self, Pair.self, Unpair.self, Doctor.self]),
    (
      Phrase("Understand"),
      [Analyze.self, Compare.self, StudyCommand.self, MethodsCommand.self, Explain.self]
    ),
    (
      Phrase("Look back"),
      [
        Status.self, HistoryCommand.self, Show.self, TrendsCommand.self, ReportCommand.self,
        PromptsCommand.self,
      ]
    ),
    (
      Phrase("Your data"),
      [JournalCommand.self, ProfileCommand.self, Delete.self, Export.self, Import.self]
    ),
    (Phrase("Set up"), [BaselineCommand.self, Config.self, Service.self]),
    (Phrase("Share"), NetworkCommands.all),
  ]

  package init() {}

  /// Runs the command that the arguments name. Does not return.
  package static func run() -> Never {
    MemoryAllocator.useSingleHeap()
    signal(SIGPIPE, SIG_IGN)
    StandardStreams.openMissing()
    ParentProcess.endWithStandardInput(.current)
    do {
      let words = CommandWords.current
      if words.words == ["--version"] { try printVersion() }
      if VersionReport.isRequested(by: words.words) { try printVersions() }
      if words.askForOverview || words.words.isEmpty { try runWithoutCommand(words) }
      var command = try namedCommand() ?? parseAsRoot(words.parsed)
      if NetworkCommands.names.contains(words.words.first ?? ""), command is any NetworkCommand {
        try NetworkProgram.replaceProcess(Array(CommandLine.arguments.dropFirst()))
      }
      try command.run()
      Glibc.exit(ExitStatus.done.rawValue)
    } catch {
      end(after: error)
    }
  }

  /// Shows the day without arguments on a terminal; otherwise the overview.
  private static func runWithoutCommand(_ words: CommandWords) throws -> Never {
    let output = StandardOutput()
    if words.words.isEmpty, output.isTerminal {
      try Today.parse([]).run()
    } else {
      let style = ProcessEnvironment.current.style(isTerminal: false)
      try output.line(Overview(style: style).text(width: ProcessEnvironment.current.columns ?? output.width))
    }
    Glibc.exit(ExitStatus.done.rawValue)
  }

  /// The command that the first argument names, if the other arguments parse.
  ///
  /// Parsing from the root creates every command, which takes 5 % of the time of analyzing a day of beats. Returns `nil` if
  /// help is requested or the arguments do not parse; the root then prints the help or the error.
  /// - Throws: ``CommandFailure`` for an unknown command.
  private static func namedCommand() throws -> (any ParsableCommand)? {
    let words = CommandWords.current
    if words.askForHelp { try words.helpTopic.expectCommand() }
    guard let name = words.words.first, !words.askForHelp else { return nil }
    // Not those of the configuration, which also translates the help of the program.
    let command = groups.lazy.flatMap(\.commands).first { $0.configuration.commandName == name }
    if let parsed = try? command?.parseAsRoot(Array(CommandLine.arguments.dropFirst(2))) { return parsed }
    try words.expectCommand()
    return nil
  }

  fileprivate static func end(after error: any Error) -> Never {
    switch error {
    case OutputError.closedPipe:
      Glibc.exit(ExitStatus.done.rawValue)
    case let errors as SessionErrors where CommandFailure(errors) == nil:
      end(after: errors.all[0])
    case let interruption as Interruption:
      interruption.endProcess()
    default:
      guard let failure = CommandFailure(error) else {
        setMinimumHelpWidth()
        let (message, code) = (fullMessage(for: error), exitCode(for: error))
        guard code != .success else { endAfterHelp(message) }
        if !message.isEmpty {
          let corrected = OptionSynonyms.correcting(message, for: CommandWords.current.command)
          printDiagnostic(ParserText.failure(corrected))
        }
        Glibc.exit(code.rawValue)
      }
      failure.print()
      Glibc.exit(failure.status.rawValue)
    }
  }
}

extension Stressmon {
  static let versions = VersionReport(program: name, libraries: [.sqlite, .libdbus, .zlib, .expat])

  /// Prints the output of `--version` without a parser, because it is what programs run to check for the command.
  private static func printVersion() throws -> Never {
    try StandardOutput().line(programVersion)
    Glibc.exit(ExitStatus.done.rawValue)
  }

  private static func printVersions() throws -> Never {
    try StandardOutput().line(versions.text)
    Glibc.exit(ExitStatus.done.rawValue)
  }

  /// Prints help, the version or a completion script.
  private static func endAfterHelp(_ message: String) -> Never {
    if !message.isEmpty {
      let words = CommandWords.current
      let subcommand = words.withoutHelp.named.configuration.defaultSubcommand
      let page = HelpPage(message, default: subcommand.map { helpMessage(for: $0) }, words.helpDetail)
      try? StandardOutput().line(page.text)
    }
    Glibc.exit(ExitStatus.done.rawValue)
  }

  /// Sets a minimum width for help: ArgumentParser traps if the terminal is narrower than its own margin.
  private static func setMinimumHelpWidth() {
    let narrowest = 40
    let columns = ProcessEnvironment.current.columns ?? StandardOutput().width
    if let columns, columns < narrowest { unsafe setenv("COLUMNS", "\(narrowest)", 1) }
  }
}

extension ProcessEnvironment {
  /// The width of the terminal, if COLUMNS states it.
  fileprivate var columns: Int? { self["COLUMNS"].flatMap { Int($0) } }
}

/// An asynchronous command, such as one that waits for a strap or a clock.
///
/// Only these commands start the concurrency runtime, which takes about 1 ms: a large part of the time of `analyze` for a
/// day of beats.
protocol WaitingCommand: ParsableCommand, Sendable {
  func perform() async throws
}

extension WaitingCommand {
  func run() throws {
    Task { @MainActor in
      do {
        try await perform()
        Glibc.exit(ExitStatus.done.rawValue)
      } catch {
        Stressmon.end(after: error)
      }
    }
    dispatchMain()
  }
}

extension CommandFailure {
  /// The exit code and message of an error of the program's modules. Other errors, such as those of ArgumentParser, have none.
  init?(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as SessionError: self.init(error)
    case let errors as SessionErrors:
      guard let failure = CommandFailure(errors) else { return nil }
      self = failure
    case let conflict as MeasurementLock.Conflict: self.init(.failed, conflict.message)
    case let error as StrapError: self.init(.noStrap, error.message())
    case let error as FileError: self.init(error.code == .empty ? .badData : .failed, error.message)
    case let error as RecordingError: self.init(.badData, error.message)
    case let error as FormatError: self.init(.badData, error.message)
    case let error as HistoryError: self.init(.failed, error.message)
    case let error as ConfigurationError: self.init(.badData, error.message)
    case let error as PNGError: self.init(.failed, error.message)
    case let error as OutputError where error != .closedPipe:
      self.init(.failed, untranslated: error.description)
    case let error as ReportError: self.init(error.isBadData ? .badData : .failed, error.message)
    default: return nil
    }
  }
}
