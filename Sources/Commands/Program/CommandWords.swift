import ArgumentParser
import Terminal

/// The words that name a command: a mistake in them is told as one, and not as a word too many.
struct CommandWords {
  let words: [String]

  /// Whether the help of a command is asked for. One that is parsed by itself leaves the program's name out of it.
  var askForHelp: Bool { words.contains { ["help", "-h", "--help"].contains($0) } }

  /// - Throws: ``CommandFailure`` for a word in the place of a command that is none, with what may have been meant.
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
    let meant = names.map { ($0, distance(Array(word), Array($0))) }.min { $0.1 < $1.1 }
    let advice =
      if let meant, meant.1 <= 2 { "Did you mean: \(path) \(meant.0)" } else {
        "See what there is with: \(path) --help"
      }
    return CommandFailure(.usage, "there is no command '\(path) \(word.printable)'. \(advice)")
  }

  /// How many characters are put in, left out or taken for another (Levenshtein 1966).
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let kept = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(kept, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}

extension ParsableCommand {
  fileprivate static var name: String { configuration.commandName ?? _commandName }
}
