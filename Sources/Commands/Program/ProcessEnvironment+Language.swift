import Localization
import Platform
import Terminal

extension ProcessEnvironment {
  /// The language of the output.
  var language: Language { Language(environment: variables, folders: catalogueFolders) }

  /// `phrase` in the language and the character set of the environment.
  func text(_ phrase: Phrase) -> String { style(isTerminal: false).localized(phrase) }

  /// The style that the environment selects, without options and configuration.
  func style(isTerminal: Bool) -> TerminalStyle {
    var style = TerminalStyle(environment: variables, isTerminal: isTerminal)
    style.language = language
    return style
  }
}
