import Glibc

/// The language of the program's texts.
///
/// A value that is passed to renderers, which therefore do not depend on the locale of the process.
package struct Language: Sendable {
  /// Looks up a text in a catalogue, in the plural form for `count`. Returns nil if the catalogue does not contain the text.
  package typealias Catalogue = @Sendable (_ key: String, _ plural: (key: String, count: Int)?) -> String?

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
    let source = phrase.plural.map { $0.count == 1 ? phrase.key : $0.key } ?? phrase.key
    guard let catalogue else { return source }
    let text = catalogue(phrase.key, phrase.plural.map { ($0.key, $0.count) }) ?? source
    return ascii ? text.inASCII : text
  }
}

extension Language {
  /// The language that the environment selects (docs/design/translations.md).
  ///
  /// LC_ALL, LC_MESSAGES and LANG select it, in this order; LANGUAGE lists several in order of preference. English and the
  /// locales C and POSIX load no catalogue.
  /// - Parameter folders: Folders with catalogues such as `de/LC_MESSAGES/stressmon.mo`; the first existing one is used.
  package init(environment: [String: String], folders: @autoclosure () -> [String]) {
    guard let wish = LanguageWish(environment),
      let folder = folders().first(where: { unsafe access($0, X_OK) == 0 })
    else {
      self = .english
      return
    }
    let catalogues = wish.names.compactMap {
      CompiledCatalogue(path: "\(folder)/\($0)/LC_MESSAGES/stressmon.mo")
    }
    self.init(wish.languages) { key, plural in
      catalogues.lazy.compactMap { $0.text(key, plural) }.first
    }
  }
}

/// The languages selected by the environment, unless English comes first.
private struct LanguageWish {
  /// In the format of LANGUAGE: `de_AT:de`.
  let languages: String
  /// The names of their catalogues in order of preference: the language of a country is followed by the language.
  var names: [String] {
    languages.split(separator: ":").filter { !$0.contains("/") }.flatMap { language in
      let plain = language.prefix { $0 != "." && $0 != "@" }
      let general = plain.prefix { $0 != "_" }
      return general == plain ? [String(plain)] : [String(plain), String(general)]
    }
  }

  /// As in gettext: with the locale C or POSIX, LANGUAGE is ignored.
  init?(_ environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG"),
      locale != "C", locale != "POSIX"
    else { return nil }
    let listed = value("LANGUAGE") ?? String(locale.prefix { $0 != "." && $0 != "@" })
    // A language after English in the list is never used.
    let wished = listed.split(separator: ":").prefix { !Self.isEnglish($0) }
    guard !wished.isEmpty else { return nil }
    languages = wished.joined(separator: ":")
  }

  private static func isEnglish(_ language: Substring) -> Bool {
    ["en", "C", "POSIX"].contains(language.prefix { $0 != "_" && $0 != "." && $0 != "@" })
  }
}

extension Language {
  /// Whether the locale that an environment selects can show characters other than ASCII.
  package static func allowsUnicode(in environment: [String: String]) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    // Bytes, because searching a String takes 3 % of the time in which a command starts. LC_CTYPE can be a codeset alone.
    let codeset = locale?.utf8.split(separator: UInt8(ascii: ".")).last?.prefix { $0 != UInt8(ascii: "@") }
    return codeset?.filter { $0 != UInt8(ascii: "-") }.map { $0 | 0x20 }.elementsEqual("utf8".utf8) ?? false
  }
}

extension Language: Equatable {
  package static func == (a: Language, b: Language) -> Bool { a.name == b.name }
}
