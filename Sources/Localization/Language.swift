/// The language of the program's texts.
///
/// A value that is passed to renderers, which therefore do not depend on the locale of the process.
package struct Language: Sendable {
  /// Looks up a text in a catalogue, in the plural form for `count`. Returns the text itself if it is not in the
  /// catalogue.
  package typealias Catalogue = @Sendable (_ key: String, _ plural: (key: String, count: Int)?) -> String

  /// Identifies the language for comparison: `de`, `de_AT:de`.
  package let name: String
  /// English needs none.
  private let catalogue: Catalogue?
  private let hasDecimalComma: Bool

  package init(_ name: String, catalogue: @escaping Catalogue) {
    self.name = name
    self.catalogue = catalogue
    hasDecimalComma = ["de", "es", "fr"].contains(name.prefix { $0.isLetter })
  }

  private init(source name: String) { (self.name, catalogue, hasDecimalComma) = (name, nil, false) }

  /// English, the language of the sources, which needs no catalogue.
  package static let english = Language(source: "en")

  /// The phrase in this language; in English if the catalogue does not contain it.
  /// - Parameter ascii: whether the translation is reduced to ASCII. Values stay unchanged.
  package func text(_ phrase: Phrase, ascii: Bool = false) -> String {
    phrase.filled(translation(of: phrase, ascii: ascii), number: hasDecimalComma ? { number($0) } : nil) {
      text($0, ascii: ascii)
    }
  }

  /// A number, written with a decimal point, with the decimal sign of this language.
  package func number(_ text: String) -> String {
    hasDecimalComma ? text.replacing(".", with: ",") : text
  }

  /// The text of the phrase with its placeholders.
  private func translation(of phrase: Phrase, ascii: Bool) -> String {
    guard let catalogue else {
      return phrase.plural.map { $0.count == 1 ? phrase.key : $0.key } ?? phrase.key
    }
    let text = catalogue(phrase.key, phrase.plural.map { ($0.key, $0.count) })
    return ascii ? text.inASCII : text
  }
}

extension Language {
  /// Whether the locale that an environment selects can show characters other than ASCII.
  package static func allowsUnicode(in environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = locale?.uppercased() ?? ""
    return name.contains("UTF-8") || name.contains("UTF8")
  }
}

extension Language: Equatable {
  package static func == (a: Language, b: Language) -> Bool { a.name == b.name }
}
