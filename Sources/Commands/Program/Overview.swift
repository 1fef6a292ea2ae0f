import ArgumentParser
import Localization
import Platform
import Terminal

/// The help of the program on one screen: its commands by group, and where to read more.
struct Overview {
  let style: TerminalStyle

  /// - Parameter width: columns of the terminal, to which lines are wrapped.
  func text(width: Int?) -> String {
    let width = max(width ?? 80, 40)
    let groups = Stressmon.configuration.groupedSubcommands.map { group in
      (
        group.name,
        group.subcommands.map { $0.name }.joined(separator: "  ")
      )
    }
    let blocks = [
      wrapped(style.localized("Heart rate variability and stress from a Bluetooth LE chest strap."), width),
      [style.localized("USAGE: \("stressmon [<command>] [<options>]")")], table(groups, width),
      table(hints, width),
    ]
    return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private var hints: [(String, String)] {
    [
      (style.localized("Try it without a strap"), "stressmon live --simulate"),
      (style.localized("Find your strap"), "stressmon scan"),
      (style.localized("Your day at a glance"), "stressmon"),
      (style.localized("Help on a command"), "stressmon measure --help"),
      (style.localized("All commands, exit codes"), "stressmon help all"),
    ]
  }

  private func table(_ rows: [(label: String, value: String)], _ width: Int) -> [String] {
    let margin = (rows.map(\.label.columns).max() ?? 0) + 4
    return rows.flatMap { row -> [String] in
      let values = row.value.wrapped(to: max(10, width - margin), unicode: style.unicode)
      return values.enumerated().map { place, value in
        ("  " + (place == 0 ? row.label : "")).padded(to: margin) + value
      }
    }
  }

  private func wrapped(_ text: String, _ width: Int) -> [String] {
    text.wrapped(to: width, unicode: style.unicode)
  }
}
