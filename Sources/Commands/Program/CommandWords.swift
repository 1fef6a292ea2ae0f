import ArgumentParser
import Localization
import Terminal

/// The words that name a command. An unknown command is reported as such, and not as an unexpected argument.
struct CommandWords {
  let words: [String]

  /// The arguments of the process.
  static var current: CommandWords { CommandWords(words: Array(CommandLine.arguments.dropFirst())) }

  /// The words that name the command of a request for help: those after `help`, or the first one.
  var helpTopic: CommandWords {
    if words == Self.everything { return CommandWords(words: []) }
    return words.first == "help" ? withoutHelp : CommandWords(words: Array(words.prefix(1)))
  }

  /// The words without a leading `help`.
  var withoutHelp: CommandWords { CommandWords(words: Array(words.drop { $0 == "help" })) }

  /// Whether help is requested. Commands that are parsed on their own omit the program's name from their help.
  var askForHelp: Bool { words.contains { ["help", "-h", "--help", Self.complete].contains($0) } }

  /// Whether the overview of the program is requested.
  var askForOverview: Bool { [["help"], ["-h"], ["--help"]].contains(words) }

  /// How much the requested help contains: `help all` and `--help-all` print everything.
  var helpDetail: HelpPage.Detail {
    words == Self.everything || words.contains(Self.complete) ? .complete : .everyday
  }

  /// The words as ArgumentParser knows them.
  var parsed: [String] {
    words == Self.everything ? ["--help"] : words.map { $0 == Self.complete ? "--help" : $0 }
  }

  private static let complete = "--help-all"
  private static let everything = ["help", "all"]

  /// - Throws: ``CommandFailure`` for an unknown command, with the command that was probably meant.
  func expectCommand() throws(CommandFailure) {
    var command: any ParsableCommand.Type = Stressmon.self
    var path = Stressmon.name
    for word in words {
      let below = command.below
      guard !below.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      guard let next = below.first(where: { $0.name == word }) else {
        throw Self.unknown(word, of: path, below.map { $0.name })
      }
      path += " " + word
      command = next
    }
  }

  /// The command whose options are parsed: the named one, or its default subcommand.
  var command: any ParsableCommand.Type { named.configuration.defaultSubcommand ?? named }

  /// The command that the words before the first option name.
  var named: any ParsableCommand.Type {
    var command: any ParsableCommand.Type = Stressmon.self
    for word in words {
      guard let next = command.below.first(where: { $0.name == word }) else { break }
      command = next
    }
    return command
  }

  private static func unknown(_ word: String, of path: String, _ names: [String]) -> CommandFailure {
    let advice =
      CommandSynonyms.advice(for: word, of: path)
      ?? NearestName.of(word, among: names).map { Phrase("Did you mean: \("\(path) \($0)")") }
      ?? Phrase("List the commands with: \("\(path) --help")")
    return CommandFailure(.usage, Phrase("there is no command '\("\(path) \(word.printable)")'. \(advice)"))
  }
}

extension ParsableCommand {
  static var name: String { configuration.commandName ?? _commandName }

  /// The subcommands of all groups.
  static var below: [any ParsableCommand.Type] {
    configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
  }
}
