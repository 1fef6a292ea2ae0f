import Localization
import NetworkCommands

/// The texts of ArgumentParser in the language of the process. The parser offers no other access to them than its English output.
enum ParserText {
  /// A failure to parse: the error, the help of the option, the usage and where to read more.
  static func failure(_ text: String) -> String {
    guard ProcessLanguage.language != .english else { return text }
    let parts = text.splitBefore(lines: ["Help:  ", "Usage: ", "  See '"])
    return parts.map { part in
      if let message = part.after("Error: ") { return localized("Error: \(error(message))") }
      if let help = part.after("Help:  ") { return localized("Help:  \(help)") }
      if let usage = part.after("Usage: ") { return localized("Usage: \(usage)") }
      guard let seen = part.wholeMatch(of: #/  See '(.+)' for more information\./#) else { return part }
      return localized("  See '\(String(seen.1))' for more information.")
    }.joined(separator: "\n")
  }

  /// The title of a section of help.
  static func title(_ text: String) -> String {
    switch text {
    case "ARGUMENTS:": localized("ARGUMENTS:")
    case "OPTIONS:": localized("OPTIONS:")
    case "SUBCOMMANDS:": localized("SUBCOMMANDS:")
    default:
      text.wholeMatch(of: /(.+) SUBCOMMANDS:/).map { localized("\(String($0.1)) SUBCOMMANDS:") } ?? text
    }
  }

  /// An entry of a section of help, with the words that the parser adds.
  static func entry(_ text: String) -> String {
    text.replacing("Show the version.", with: localized("Show the version."))
      .replacing("Show help information.", with: localized("Show help information."))
      .replacing(/([(;]\s*)default:/) { "\($0.1)\(localized("default:"))" }
      .replacing("(values:", with: "(" + localized("values:"))
      .replacing(" (default) ", with: " (\(localized("default"))) ")
  }

  /// A block of help before or after the sections.
  static func block(_ text: String) -> String {
    if let overview = text.after("OVERVIEW: ") { return localized("OVERVIEW: \(overview)") }
    if let usage = text.after("USAGE: ") { return localized("USAGE: \(usage)") }
    guard let seen = text.wholeMatch(of: #/  See '(.+)' for detailed help\./#) else { return text }
    return localized("  See '\(String(seen.1))' for detailed help.")
  }

  private static func error(_ text: String) -> Phrase {
    if let found = text.wholeMatch(of: /Unknown option '(.+)'\. Did you mean '(.+)'\?/) {
      return Phrase("Unknown option '\(String(found.1))'. Did you mean '\(String(found.2))'?")
    }
    if let found = text.wholeMatch(of: /Unknown option '(.+)'/) {
      return Phrase("Unknown option '\(String(found.1))'")
    }
    if let found = text.wholeMatch(of: /Missing value for '(.+)'/) {
      return Phrase("Missing value for '\(String(found.1))'")
    }
    if let found = text.wholeMatch(of: /Missing expected argument '(.+)'/) {
      return Phrase("Missing expected argument '\(String(found.1))'")
    }
    if let found = text.wholeMatch(of: /Unexpected argument '(.+)'/) {
      return Phrase("Unexpected argument '\(String(found.1))'")
    }
    if let found = text.wholeMatch(of: /(\d+) unexpected arguments: (.+)/) {
      return Phrase("\(String(found.1)) unexpected arguments: \(String(found.2))")
    }
    if let found = text.wholeMatch(
      of: /The option '(.+)' does not take any value, but '(.+)' was specified\./)
    {
      return Phrase(
        "The option '\(String(found.1))' does not take any value, but '\(String(found.2))' was specified.")
    }
    return value(text) ?? Phrase(untranslated: text)
  }

  /// The error for a value that an option does not accept.
  private static func value(_ text: String) -> Phrase? {
    guard let found = text.wholeMatch(of: /(?s)The value '(.*?)' is invalid for '([^']+)'(.*)/) else {
      return nil
    }
    let (value, option, rest) = (String(found.1), String(found.2), String(found.3))
    let problem = Phrase("The value '\(value)' is invalid for '\(option)'")
    if let names = rest.wholeMatch(of: /\. Please provide one of ('.+')\./) {
      let list = String(names.1).replacing(/' (and|or) '/, with: "', '")
      return Phrase("\(problem). Valid values: \(list)")
    }
    if let list = rest.after(". Please provide one of the following:\n  - ") {
      let names = list.replacing("\n  - ", with: ", ")
      return Phrase("\(problem). Valid values: \(names)")
    }
    return rest.isEmpty ? problem : Phrase(joining: [problem, Phrase(untranslated: rest)])
  }
}

extension String {
  /// The rest of a text that begins with `prefix`.
  fileprivate func after(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  /// The text in parts, each of which but the first begins with a line with one of the prefixes.
  fileprivate func splitBefore(lines prefixes: [String]) -> [String] {
    var parts: [String] = []
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if parts.isEmpty || prefixes.contains(where: line.hasPrefix) {
        parts.append(String(line))
      } else {
        parts[parts.count - 1] += "\n" + line
      }
    }
    return parts
  }
}
