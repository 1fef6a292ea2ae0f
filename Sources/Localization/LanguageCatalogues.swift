/// Loads the catalogues of all languages once, for servers.
package struct LanguageCatalogues: Sendable {
  /// English first; the others in alphabetical order.
  package let languages: [Language]

  /// - Parameter folders: folders with catalogues such as `de/LC_MESSAGES/stressmon.mo`, in order of precedence.
  package init(folders: [String], names: [String] = ["de", "es", "fr"]) {
    languages =
      [.english]
      + names.compactMap { name in
        let paths = folders.lazy.map { "\($0)/\(name)/LC_MESSAGES/stressmon.mo" }
        guard let catalogue = paths.compactMap(CompiledCatalogue.init(path:)).first else { return nil }
        return Language(name) { catalogue.text($0, $1) }
      }
  }

  /// The language with a name such as `de`; English if there is no catalogue for it.
  package func language(_ name: String) -> Language { languages.first { $0.name == name } ?? .english }

  /// The first language of an Accept-Language header (RFC 9110, section 12.5.4) for which there is a catalogue; English
  /// without one.
  package func language(accepted header: String?) -> Language {
    let wishes = (header ?? "").split(separator: ",").compactMap(Self.wish)
    // The sort is stable for equal weights by their position.
    let ordered = wishes.enumerated().sorted {
      ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset)
    }
    for (_, wish) in ordered {
      if let language = languages.first(where: { $0.name == wish.name }) { return language }
    }
    return .english
  }

  /// The primary language of one range of the header, such as `de` of `de-AT;q=0.8`, unless it is excluded.
  private static func wish(_ text: Substring) -> (name: String, weight: Double)? {
    let parts = text.split(separator: ";").map { $0.filter { $0 != " " } }
    guard let range = parts.first else { return nil }
    let name = range.prefix { $0 != "-" }.lowercased()
    let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
    return weight > 0 ? (name, weight) : nil
  }
}
