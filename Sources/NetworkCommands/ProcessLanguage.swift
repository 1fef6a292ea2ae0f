package import ArgumentParser
package import Localization
package import Platform

/// The language and the character set of the texts of this process, resolved at the first text.
///
/// Commands with options for their appearance use a `TerminalStyle` instead.
package enum ProcessLanguage {
  private static let environment = ProcessEnvironment.current
  package static let language = environment.language
  package static let isASCII = !Language.allowsUnicode(in: environment.variables)

  fileprivate static func text(_ phrase: Phrase) -> String { language.text(phrase, ascii: isASCII) }
}

extension ProcessEnvironment {
  /// The language of the output.
  package var language: Language { Language(environment: variables, folders: catalogueFolders) }
}

/// The text in the language of the process.
package func localized(_ text: Phrase.Template) -> String { localized(Phrase(text)) }

/// The text in the language of the process, in the plural form for `count`.
package func localized(_ one: Phrase.Template, _ many: Phrase.Template, count: Int) -> String {
  localized(Phrase(one, many, count: count))
}

package func localized(_ phrase: Phrase) -> String { ProcessLanguage.text(phrase) }

/// The number with the decimal sign of the language of the process.
package func localized(number: Double, _ decimals: Int) -> String {
  ProcessLanguage.language.number(number.fixed(decimals))
}

/// The number with its sign and with the decimal sign of the language of the process.
package func localized(signed: Double, _ decimals: Int) -> String {
  ProcessLanguage.language.number(signed.signed(decimals))
}

extension ArgumentHelp {
  /// The help of an option in the language of the process.
  package static func localized(_ text: Phrase.Template) -> ArgumentHelp {
    ArgumentHelp(ProcessLanguage.text(Phrase(text)))
  }
}

/// The examples of a command as the end of its help, one per line.
package func examples(_ commands: String...) -> String {
  // Not `joined`, whose first call searches all conformances of the program.
  commands.reduce("") { $0 + ($0.isEmpty ? "" : "\n") + localized("Example: \($1)") }
}
