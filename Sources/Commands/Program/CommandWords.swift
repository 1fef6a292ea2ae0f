import ArgumentParser
import Localization
import Terminal

/// The words that name a command. An unknown command is reported as such, and not as an unexpected argument.
struct CommandWords {
  let words: [String]

  /// The words that name the command of a request for help: those after `help`, or the first one.
  var helpTopic: CommandWords {
    CommandWords(words: words.first == "help" ? Array(words.dropFirst()) : Array(words.prefix(1)))
  }

  /// Whether help is requested. Commands that are parsed on their own omit the program's name from their help.
  var askForHelp: Bool { words.contains { ["help", "-h", "--help"].contains($0) } }

  /// - Throws: ``CommandFailure`` for an unknown command, with the command that was probably meant.
  func expectCommand() throws(CommandFailure) {
    var command: any ParsableCommand.Type = Stressmon.self
    var path = Stressmon.name
    for word in words {
      let below =
        command.configuration.subcommands + command.configuration.groupedSubcommands.flatMap(\.subcommands)
      guard !below.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      guard let next = below.first(where: { $0.name == word }) else {
        throw Self.unknown(word, of: path, below.map { $0.name })
      }
      path += " " + word
      command = next
    }
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
  fileprivate static var name: String { configuration.commandName ?? _commandName }
}
