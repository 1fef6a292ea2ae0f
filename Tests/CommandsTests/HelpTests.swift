import ArgumentParser
import Formats
import History
import NetworkCommands
import Platform
import Recording
import Reports
import Strap
import Terminal
import Testing

@testable import Commands

@Suite struct HelpTests {
  /// The program, its commands and their subcommands.
  private static func all(_ command: any ParsableCommand.Type = Stressmon.self) -> [any ParsableCommand.Type]
  {
    let configuration = command.configuration
    let below = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    return [command] + below.flatMap { all($0) }
  }

  @Test func everyCommandHasAnExample() {
    let commands = Self.all()
    #expect(commands.count >= 16)
    for command in commands {
      let help = HelpPage(Stressmon.helpMessage(for: command, includeHidden: false, columns: 200)).text
      #expect(help.contains("Example: "), "\(command._commandName)")
      #expect(!command.configuration.abstract.isEmpty, "\(command._commandName)")
    }
  }

  /// The man page is generated from the help, whose text is a literal because it is created at every start.
  @Test func helpOfAnalyzeListsTheMetricsOfTheCatalogue() {
    #expect(
      Analyze.configuration.discussion.contains(
        "\nMetrics: \(MetricCatalogue.groups) (docs/reference/metrics.md).\n"))
  }

  @Test func networkCommandsHaveTheirNames() {
    #expect(NetworkCommands.names == NetworkCommands.all.map { $0._commandName })
  }

  /// Without a super-command, ArgumentParser parses the arguments of a command two more times.
  @Test func everyCommandHasASuperCommand() {
    for command in Stressmon.below {
      #expect(command.configuration._superCommandName == "stressmon", "\(command.name)")
    }
  }

  /// Examples are valid command lines.
  @Test func everyExampleParses() throws {
    for command in Self.all() {
      let lines = command.configuration.discussion.split(separator: "\n")
      for line in lines where line.contains("Example: stressmon ") {
        let typed = line.split(separator: "Example: stressmon ")[0].split(separator: "   ")[0]
        // A time of today that has passed, whenever the test runs.
        let words = typed.split(separator: " ").map {
          $0.wholeMatch(of: /\d\d:\d\d/) == nil ? String($0) : "00:00"
        }
        #expect(throws: Never.self, "\(line)") { _ = try Stressmon.parseAsRoot(words) }
      }
    }
  }

  @Test func everyOptionHasHelp() {
    for command in Self.all() {
      let lines = Stressmon.helpMessage(for: command, columns: 400).split(separator: "\n")
      for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  -") {
        // The help of an option with a long name begins on the next line.
        let isExplained = line.firstMatch(of: /^  -.*\s{2,}\S/) != nil || next.hasPrefix("          ")
        #expect(isExplained, "\(command._commandName): \(line)")
      }
    }
  }

  @Test("Every command lists its own options first and the common options in one last group")
  func ownOptionsBeforeCommonOptions() {
    for command in Self.all() {
      let help = HelpPage(Stressmon.helpMessage(for: command, columns: 120)).text
      let titles = help.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0.hasSuffix(":") }.map(
        String.init)
      let options = titles.filter { !$0.hasSuffix("SUBCOMMANDS:") && $0 != "ARGUMENTS:" }
      #expect(Set(options).count == options.count, "\(command._commandName): \(options)")
      if options.contains("OPTIONS:") { #expect(options.first == "OPTIONS:", "\(command._commandName)") }
      if options.count > 1 { #expect(options.last == "COMMON OPTIONS:", "\(command._commandName)") }
      #expect(help.contains("  --version  ") && help.contains("  -h, --help  "), "\(command._commandName)")
    }
  }

  @Test("The help keeps every option of every command")
  func nothingIsLost() {
    for command in Self.all() {
      let help = Stressmon.helpMessage(for: command, columns: 120)
      let lines = { (text: String) in text.split(separator: "\n").filter { $0.hasPrefix("  ") }.sorted() }
      #expect(lines(HelpPage(help).text) == lines(help), "\(command._commandName)")
    }
  }

  @Test("The everyday help of a command fits on 40 lines of 80 columns, and names the complete help")
  func everydayHelpIsShort() {
    for command in Self.all() where command != Stressmon.self {
      let message = Stressmon.helpMessage(for: command, includeHidden: false, columns: 80)
      let (everyday, complete) = (HelpPage(message, .everyday).text, HelpPage(message).text)
      let lines = everyday.split(separator: "\n", omittingEmptySubsequences: false)
      // Commands of fleets need all of their options.
      let limit = Self.fleet.contains(command._commandName) ? 50 : 40
      #expect(lines.count <= limit, "\(command._commandName): \(lines.count) lines\n\(everyday)")
      #expect(everyday.contains("Example: "), "\(command._commandName)")
      #expect(
        everyday.contains("All options and details: ") == (everyday != complete), "\(command._commandName)")
    }
  }

  @Test("The help of a command with a default subcommand lists the options that can follow its name")
  func optionsOfDefaultSubcommands() throws {
    let commands = Self.all().filter { $0.configuration.defaultSubcommand != nil }
    #expect(commands.count >= 8)
    for command in commands {
      let subcommand = try #require(command.configuration.defaultSubcommand)
      let (own, more) = (
        Stressmon.helpMessage(for: command, includeHidden: false, columns: 80),
        Stressmon.helpMessage(for: subcommand, includeHidden: false, columns: 80)
      )
      let listed = OptionSynonyms.options(in: HelpPage(own, default: more).text)
      for option in OptionSynonyms.options(of: subcommand) {
        #expect(listed.filter { $0 == option }.count == 1, "\(command._commandName) \(option)")
      }
      let everyday = HelpPage(own, default: more, .everyday).text
      let lines = everyday.split(separator: "\n", omittingEmptySubsequences: false).count
      let isExtended = everyday != HelpPage(own, .everyday).text
      #expect(lines <= HelpPage.everydayLimit || !isExtended, "\(command._commandName): \(lines) lines")
    }
  }

  private static let fleet: Set = ["collect", "run", "export", "publish"]

  @Test("Each option that the everyday help omits exists")
  func rareOptionsExist() {
    let pages = Self.all().map { Stressmon.helpMessage(for: $0, columns: 120) }.joined()
    for option in EverydayOptions.rare.union(EverydayOptions.common) {
      #expect(pages.contains(" \(option)"), "\(option)")
    }
  }

  @Test(arguments: [nil, 40, 80, 200])
  func theOverviewNamesEveryCommandOnOneScreen(width: Int?) {
    let text = Overview(style: .plain).text(width: width)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { String($0).columns <= width ?? 80 }, "\(text)")
    if width != 40 { #expect(lines.count <= 24) }
    let words = Set(text.split { $0.isWhitespace }.map(String.init))
    for command in Stressmon.configuration.groupedSubcommands.flatMap(\.subcommands) {
      #expect(words.contains(command._commandName), "\(command._commandName)")
    }
  }

  @Test("Every command that replaces an unknown word exists")
  func synonymsNameCommands() {
    let all = CommandSynonyms.program + CommandSynonyms.subcommands.values.flatMap(\.self)
    for (_, commands) in all {
      for command in commands {
        #expect(throws: Never.self, "\(command)") {
          try CommandWords(words: command.split(separator: " ").dropFirst().map(String.init)).expectCommand()
        }
      }
    }
    let names = Stressmon.configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName }
    for (words, _) in CommandSynonyms.program { #expect(words.isDisjoint(with: names), "\(words)") }
  }

  @Test func helpListsTheExitCodesAndTheVersion() {
    let help = Stressmon.helpMessage(columns: 200)
    #expect(
      help.contains("0 done, 1 failed, 2 no strap or no link, 3 bad data, 64 wrong usage, 130 interrupted"))
    #expect(Stressmon.configuration.version == programVersion)
  }
}

@Suite struct ExitCodeTests {
  private static let codes: [(any Error, Int32)] = [
    (StrapError.noBus("words"), 2), (StrapError.notFound(.any, seen: []), 2),
    (FileError(.notFound, path: "a"), 1), (FileError(.exists, path: "a"), 1),
    (FileError(.isDirectory, path: "a"), 1), (FileError(.diskFull, path: "a"), 1),
    (FormatError(.binary, path: "a"), 3), (FileError(.empty, path: "a"), 3),
    (FormatError(.noIntervals, path: "a"), 3), (RecordingError(.newerVersion(2), path: "a"), 3),
    (HistoryError(.corrupt, path: "a", .open), 1), (HistoryError(.locked, path: "a", .read), 1),
    (ConfigurationError.unknownKey("x", in: "a"), 3), (CommandFailure(.badData, untranslated: "words"), 3),
  ]

  @Test func everyErrorHasAnExitCodeAndAMessage() throws {
    for (error, code) in Self.codes {
      let failure = try #require(CommandFailure(error))
      #expect(failure.status.rawValue == code, "\(error)")
      #expect(failure.description == "\(error)")
    }
    struct Foreign: Error {}
    #expect(CommandFailure(Foreign()) == nil)
  }

  @Test(arguments: [
    ["live", "--nonsense"], ["nonsense"], ["live", "--window", "29s", "--simulate"], ["analyze"],
  ])
  func usageErrorsExitWithCode64(arguments: [String]) {
    do {
      _ = try Stressmon.parseAsRoot(arguments)
      Issue.record("\(arguments) parses")
    } catch {
      #expect(Stressmon.exitCode(for: error).rawValue == 64)
    }
  }

  @Test(arguments: [["--help"], ["help"], ["live", "--help"], ["--version"], ["config", "--help"]])
  func requestsForHelpSucceed(arguments: [String]) {
    do {
      var command = try Stressmon.parseAsRoot(arguments)
      try command.run()
      Issue.record("\(arguments) runs")
    } catch {
      #expect(Stressmon.exitCode(for: error) == .success)
    }
  }
}
