import Glibc
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

  /// The directories of the catalogues, in order of precedence: TEXTDOMAINDIR, as for gettext(1); the installed one,
  /// relative to the program; that of a build in `.build/PLATFORM/debug`.
  private var catalogueFolders: [String] {
    let named = self["TEXTDOMAINDIR"].map { [$0] } ?? []
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return named }
    defer { unsafe free(path) }
    let folder = unsafe String(cString: path).split(separator: "/", omittingEmptySubsequences: false)
      .dropLast()
    let place = folder.joined(separator: "/")
    return named + ["\(place)/../share/locale", "\(place)/../../locale"]
  }
}
