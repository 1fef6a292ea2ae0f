/// The title of the options that several commands share, the last group of every command's help.
let commonOptions = "Common options"

/// The help of a command, its own options before the shared ones.
///
/// ArgumentParser prints titled groups before options without a title, which are the command's own, and `--version` and
/// `--help` among the latter.
struct HelpPage {
  let text: String

  /// - Parameter message: help as ArgumentParser lays it out; any other message is kept unchanged.
  init(_ message: String) {
    var blocks = message.split(separator: "\n\n", omittingEmptySubsequences: false).map(Self.trimmed)
    let arguments = blocks.firstIndex { $0.hasPrefix("ARGUMENTS:\n") }
    guard let usage = blocks.firstIndex(where: { $0.hasPrefix("USAGE: ") }),
      let own = blocks.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }), own > (arguments ?? usage) + 1
    else {
      text = Self.trimmed(message[...])
      return
    }
    let entries = Self.entries(blocks.remove(at: own))
    let general = entries.filter { $0.hasPrefix("  --version ") || $0.hasPrefix("  -h, --help ") }
    let title = commonOptions.uppercased() + ":"
    if let common = blocks.firstIndex(where: { $0.hasPrefix(title + "\n") }) {
      blocks[common] = ([blocks[common]] + general).joined(separator: "\n")
    } else {
      blocks.insert(([title] + general).joined(separator: "\n"), at: own)
    }
    let specific = entries.filter { !general.contains($0) }
    if !specific.isEmpty {
      blocks.insert((["OPTIONS:"] + specific).joined(separator: "\n"), at: (arguments ?? usage) + 1)
    }
    text = blocks.filter { !$0.isEmpty }.joined(separator: "\n\n")
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

  private static func trimmed(_ block: Substring) -> String {
    var block = block
    while block.last == "\n" { block.removeLast() }
    return String(block)
  }
}
