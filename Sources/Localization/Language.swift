/// The language in which the program speaks to a person.
///
/// A value, handed to what draws and writes: nothing asks the process for its locale while it draws.
package struct Language: Sendable {
  /// Finds a text in the catalogue of the language, the form for `count` where it has several; the text itself where
  /// the catalogue lacks it.
  package typealias Catalogue = @Sendable (_ key: String, _ plural: (key: String, count: Int)?) -> String

  /// What two of the same language have in common: `de`, `de_AT:de`.
  package let name: String
  /// Nil for the language of the sources.
  private let catalogue: Catalogue?

  package init(_ name: String, catalogue: @escaping Catalogue) {
    self.name = name
    self.catalogue = catalogue
  }

  private init(source name: String) { (self.name, catalogue) = (name, nil) }

  /// The language of the sources, which needs no catalogue and no C library.
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
