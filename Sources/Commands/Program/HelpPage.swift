import Localization
import NetworkCommands

/// The title of the options that several commands share, the last group of every command's help.
let commonOptions = localized("Common options")

/// The help of a command, its own options before the shared ones.
///
/// ArgumentParser prints titled groups before options without a title, which are the command's own, and `--version` and
/// `--help` among the latter.
struct HelpPage {
  /// What a page contains.
  enum Detail {
    /// The first paragraph, a few examples and the options of everyday use, so that the page fits on a screen.
    case everyday
    case complete
  }

  let text: String

  /// Lines of the everyday page.
  static let everydayLimit = 40

  /// - Parameters:
  ///   - message: help as ArgumentParser lays it out; any other message is kept unchanged.
  ///   - subcommand: the help of the default subcommand. Its options, which the command accepts, are listed as well: in the everyday
  ///     page if it still fits on a screen.
  init(_ message: String, default subcommand: String? = nil, _ detail: Detail = .complete) {
    guard let own = HelpSections(message) else {
      text = message.trimmedAtEnd
      return
    }
    let complete = subcommand.flatMap(HelpSections.init).map(own.adding) ?? own
    switch detail {
    case .complete: text = complete.text
    case .everyday:
      let page = complete.everyday.text
      let fits = page.split(separator: "\n", omittingEmptySubsequences: false).count <= Self.everydayLimit
      text = fits ? page : own.everyday.text
    }
  }
}

/// The blocks of a help page, which empty lines separate.
private struct HelpSections {
  private var overview: [String] = []
  private var usage = ""
  private var options: [(title: String, entries: [String])] = []
  private var end: [String] = []
  /// The name of the command with the program's.
  private var command: String {
    let words = usage.dropFirst("USAGE: ".count).split { $0.isWhitespace }
    return words.prefix { $0.first?.isLetter ?? false }.joined(separator: " ")
  }

  private static let common = commonOptions.uppercased() + ":"
  private static let own = "OPTIONS:"

  /// Returns `nil` for a message that is not the help of a command.
  init?(_ message: String) {
    for block in message.split(separator: "\n\n").map(\.trimmedAtEnd) where !block.isEmpty {
      let title = block.prefix { $0 != "\n" }
      if block.hasPrefix("USAGE: ") {
        usage = block
      } else if title.hasSuffix(":"), title == title.uppercased() {
        options.append((String(title), Self.entries(block)))
      } else if usage.isEmpty {
        overview.append(block)
      } else {
        end.append(block)
      }
    }
    guard !usage.isEmpty, let place = options.firstIndex(where: { $0.title == Self.own }) else { return nil }
    arrange(options.remove(at: place).entries)
  }

  /// Places the command's own options first, and `--version` and `--help` last.
  private mutating func arrange(_ entries: [String]) {
    let general = entries.filter { ["--version", "--help"].contains(Self.name($0)) }
    if let common = options.firstIndex(where: { $0.title == Self.common }) {
      options[common].entries += general
    } else {
      let place = options.firstIndex { $0.title.hasSuffix("SUBCOMMANDS:") } ?? options.endIndex
      options.insert((Self.common, general), at: place)
    }
    let specific = entries.filter { !general.contains($0) }
    guard !specific.isEmpty else { return }
    let place = options.firstIndex { $0.title != "ARGUMENTS:" } ?? options.endIndex
    options.insert((Self.own, specific), at: place)
  }

  /// The page with the arguments and options of another one before those with the same title.
  func adding(_ other: HelpSections) -> HelpSections {
    var page = self
    for (title, entries) in other.options.reversed() {
      if let place = page.options.firstIndex(where: { $0.title == title }) {
        let general = page.options[place].entries
        page.options[place].entries = entries.filter { !general.contains($0) } + general
      } else {
        page.options.insert((title, entries), at: 0)
      }
    }
    return page
  }

  var text: String {
    let lists = options.map { group in
      ([ParserText.title(group.title)] + group.entries.map(ParserText.entry)).joined(separator: "\n")
    }
    let (blocks, notes) = ((overview + [usage]).map(ParserText.block), end.map(ParserText.block))
    return (blocks + lists + notes).joined(separator: "\n\n")
  }

  /// The page without what is needed rarely, and with a line that names the complete page.
  var everyday: HelpSections {
    var page = self
    page.shortenOverview()
    page.options = options.compactMap { group in
      let entries = group.entries.filter { EverydayOptions.contains(Self.name($0), in: group.title) }
      return entries.isEmpty ? nil : (group.title, entries)
    }
    guard page.text != text else { return self }
    page.end = [localized("All options and details: \("\(command) --help-all")")] + end
    return page
  }

  /// Keeps the abstract, the first paragraph and the first three examples.
  private mutating func shortenOverview() {
    let lines = overview.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    let mark = localized("Example: \(String())")
    let first = lines.firstIndex { $0.hasPrefix(mark) } ?? lines.endIndex
    let paragraphs = lines[..<first].split(separator: "").map { $0.joined(separator: "\n") }
    overview = Array(paragraphs.prefix(2))
    var examples: [String] = []
    for line in lines[first...] {
      if line.hasPrefix(mark) {
        examples.append(String(line))
      } else if line.isEmpty {
        break
      } else {
        examples[examples.count - 1] += "\n" + line
      }
    }
    if !examples.isEmpty { overview.append(examples.prefix(3).joined(separator: "\n")) }
  }

  /// The entries of a section without its title; an entry begins with two spaces, its other lines with more.
  private static func entries(_ section: String) -> [String] {
    var entries: [String] = []
    for line in section.split(separator: "\n").dropFirst() {
      if line.hasPrefix("  ") && !line.hasPrefix("   ") || entries.isEmpty {
        entries.append(String(line))
      } else {
        entries[entries.count - 1] += "\n" + line
      }
    }
    return entries
  }

  /// The long name of the option that `entry` describes, or the name of the argument.
  private static func name(_ entry: String) -> String {
    let words = entry.split { " ,/\n".contains($0) }
    return String(words.first { $0.hasPrefix("--") } ?? words.first ?? "")
  }
}

/// The options that a page of everyday help lists.
enum EverydayOptions {
  /// The shared options.
  static let common: Set = ["--simulate", "--strap", "--json", "--speak", "--profile", "--help"]

  /// Options of a command that are needed rarely: methods of computation, and details of files and displays.
  static let rare: Set = [
    "--after", "--allow-user", "--attach", "--baseline", "--beats", "--bell", "--category", "--classifier",
    "--column", "--corrected", "--correction", "--csv", "--db", "--detrend", "--ecg", "--epoch", "--force",
    "--format", "--like", "--limit", "--list", "--metrics", "--min-confidence", "--no-store", "--notify",
    "--participant", "--plain", "--psd", "--raw", "--read-only", "--record", "--session-label",
    "--sessions",
    "--skip-bad-lines", "--step", "--task", "--time-column", "--title", "--unit",
  ]

  /// Groups that are listed completely: arguments and subcommands are no options.
  private static let complete: Set = ["SUBCOMMANDS:", "ARGUMENTS:"]

  /// Whether the option belongs to the everyday help of a group with this title.
  static func contains(_ name: String, in title: String) -> Bool {
    if title == commonOptions.uppercased() + ":" { return common.contains(name) }
    return complete.contains { title.hasSuffix($0) } || !rare.contains(name)
  }
}

extension StringProtocol {
  /// The text without white space at its end.
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
