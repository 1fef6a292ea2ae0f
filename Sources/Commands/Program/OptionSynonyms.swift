import ArgumentParser
import Localization

/// Suggests an option of a command in place of one that it does not have.
///
/// The suggestions of ArgumentParser compare letters only, with up to three differences: `--force` in place of `--since`.
enum OptionSynonyms {
  /// The error text of the parser with the suggestion for the option that `command` does not have, if there is one.
  static func correcting(_ text: String, for command: any ParsableCommand.Type) -> String {
    text.replacing(/Unknown option '(-[^']+)'(\. Did you mean '[^']+'\?)?/) { found -> String in
      let unknown = "Unknown option '\(found.1)'"
      guard let option = suggestion(for: String(found.1), among: options(of: command)) else { return unknown }
      return "\(unknown). Did you mean '\(option)'?"
    }
  }

  /// A synonym, else the option with the nearest name.
  static func suggestion(for option: String, among options: [String]) -> String? {
    let word = String(option.drop { $0 == "-" })
    let synonym = table.first { $0.words.contains(word) && options.contains($0.option) }?.option
    return synonym ?? NearestName.of(word, among: options.map { String($0.dropFirst(2)) }).map { "--\($0)" }
  }

  /// The long names of the options of a command.
  static func options(of command: any ParsableCommand.Type) -> [String] {
    options(in: Stressmon.helpMessage(for: command, includeHidden: false, columns: 400))
  }

  /// The long names of the options that a help page describes.
  static func options(in help: String) -> [String] {
    help.matches(of: /(?m)^  (?:-\w, )?(--[a-z0-9-]+)/).map { String($0.1) }
  }

  static let table: [(words: Set<String>, option: String)] = [
    (["since", "after", "start", "begin"], "--from"),
    (["until", "before", "end"], "--to"),
    (["days", "last"], "--week"),
    (["time", "length", "minutes", "seconds", "timeout"], "--duration"),
    (["duration", "time", "length", "seconds"], "--minutes"),
    (["interval", "repeat"], "--every"),
    (["follow", "continuous"], "--watch"),
    (["out", "file", "destination"], "--output"),
    (["csv", "type"], "--format"),
    (["svg", "png", "pdf", "chart", "graph"], "--plot"),
    (["count", "number", "max", "n"], "--limit"),
    (["user", "person", "name"], "--profile"),
    (["device", "address", "mac", "sensor"], "--strap"),
    (["database"], "--db"),
    (["tag", "label"], "--trigger"),
    (["comment", "text", "message"], "--note"),
    (["verbose", "long", "full"], "--details"),
    (["spoken", "voice"], "--speak"),
    (["color", "colour", "dark", "no-color"], "--theme"),
    (["preview", "check"], "--dry-run"),
    (["yes", "overwrite"], "--force"),
    (["demo", "fake"], "--simulate"),
  ]
}
