import ArgumentParser
import Design
import Localization
import NetworkCommands
import Platform
import Terminal

/// The appearance of text and charts; these options take precedence over the environment.
struct AppearanceOptions: ParsableArguments {
  @Flag(name: .long, help: .localized("Print ASCII characters only (default: as the locale allows)."))
  var ascii = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      localized("The colour theme (default: the setting 'theme', else auto, which reads COLORFGBG)."),
      valueName: "theme"
    ))
  var theme: ThemeArgument?

  /// The style for an output that is a terminal or not. The command line takes precedence over the configuration, and
  /// the configuration over the environment.
  func style(_ context: CommandContext, isTerminal: Bool) -> TerminalStyle {
    var style = context.environment.style(isTerminal: isTerminal)
    if ascii { style.unicode = false }
    style.isSimple = context[.simple] == "on"
    switch context.value(.theme, option: theme) ?? .auto {
    case .auto: break
    case .dark: style.theme = .dark
    case .light: style.theme = .light
    case .highContrast: style.isHighContrast = true
    }
    return style
  }
}

/// The background that colours are chosen for.
enum ThemeArgument: String, ExpressibleByArgument, CaseIterable {
  case auto
  case dark
  case light
  case highContrast = "high-contrast"
}
