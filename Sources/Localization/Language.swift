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

  /// The phrase in this language, in English where the catalogue lacks it.
  /// - Parameter ascii: Whether its words are to be of ASCII alone; the values in it stay as they are.
  package func text(_ phrase: Phrase, ascii: Bool = false) -> String {
    guard let catalogue else {
      return phrase.filled(phrase.plural.map { $0.count == 1 ? phrase.key : $0.key } ?? phrase.key)
    }
    let text = catalogue(phrase.key, phrase.plural.map { ($0.key, $0.count) })
    return phrase.filled(ascii ? text.inASCII : text)
  }
}

extension Language: Equatable {
  package static func == (a: Language, b: Language) -> Bool { a.name == b.name }
}
