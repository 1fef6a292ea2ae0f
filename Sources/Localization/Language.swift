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

  package init(_ name: String, catalogue: @escaping Catalogue) {
    self.name = name
    self.catalogue = catalogue
  }

  private init(source name: String) { (self.name, catalogue) = (name, nil) }

  /// English, the language of the sources, which needs no catalogue.
  package static let english = Language(source: "en")

  /// The phrase in this language; in English if the catalogue does not contain it.
  /// - Parameter ascii: whether the translation is reduced to ASCII. Values stay unchanged.
  package func text(_ phrase: Phrase, ascii: Bool = false) -> String {
    phrase.filled(translation(of: phrase, ascii: ascii)) { text($0, ascii: ascii) }
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

extension Language: Equatable {
  package static func == (a: Language, b: Language) -> Bool { a.name == b.name }
}
