import ArgumentParser
import Design
import Terminal
import Words

/// How text and charts look, whatever the environment says.
struct AppearanceOptions: ParsableArguments {
  @Flag(name: .long, help: "No character beyond ASCII (default: what the locale says).")
  var ascii = false

  @Option(
    name: .long,
    help: "Colours for a dark or light background, or high-contrast (default: auto, by COLORFGBG).")
  var theme: ThemeArgument?

  /// The style for an output that is a terminal, or is none; the command line outweighs the configuration, and that the
  /// environment.
  func style(_ surroundings: Surroundings, _ configuration: Configuration, isTerminal: Bool) -> TerminalStyle
  {
    var style = TerminalStyle(environment: surroundings.environment, isTerminal: isTerminal)
    style.language = surroundings.language
    if ascii { style.unicode = false }
    switch theme ?? configuration[.theme].flatMap(ThemeArgument.init(rawValue:)) ?? .auto {
    case .auto: break
    case .dark: style.theme = .dark
    case .light: style.theme = .light
    case .highContrast: style.isHighContrast = true
    }
    return style
  }
}

/// What the colours are for.
enum ThemeArgument: String, ExpressibleByArgument, CaseIterable {
  case auto
  case dark
  case light
  case highContrast = "high-contrast"
}
