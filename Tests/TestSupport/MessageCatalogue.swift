import FoundationEssentials

/// A catalogue of Sources/Localization/po, parsed without gettext, so that tests can use several languages at once.
package struct MessageCatalogue: Sendable {
  package struct Entry: Equatable, Sendable {
    package var key = ""
    package var pluralKey: String?
    /// The translation, or its plural forms.
    package var texts: [String] = []
    package var isFuzzy = false

    package init(key: String = "", pluralKey: String? = nil, texts: [String] = []) {
      (self.key, self.pluralKey, self.texts) = (key, pluralKey, texts)
    }
  }

  package static let languages = ["de", "es", "fr"]
  package static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/Localization/po").path

  package let language: String
  /// All entries except the header.
  package let entries: [Entry]
  private let texts: [String: [String]]

  package init(_ language: String) throws {
    try self.init(language, String(contentsOfFile: "\(Self.folder)/\(language).po", encoding: .utf8))
  }

  /// Parses a catalogue.
  /// - Parameter text: content of a .po file.
  package init(_ language: String, _ text: String) throws {
    self.language = language
    entries = Self.entries(text).filter { !$0.key.isEmpty }
    texts = Dictionary(entries.map { ($0.key, $0.texts) }) { first, _ in first }
  }

  /// Returns the translation as gettext does; the text itself if the catalogue lacks it. The supported
  /// languages have two plural forms.
  package func text(_ key: String, _ plural: (key: String, count: Int)?) -> String {
    guard let texts = texts[key], let first = texts.first else {
      return plural.map { $0.count == 1 ? key : $0.key } ?? key
    }
    guard let count = plural?.count, texts.count > 1 else { return first }
    return texts[count == 1 || language == "fr" && count == 0 ? 0 : 1]
  }

  private static func entries(_ text: String) -> [Entry] {
    var entries: [Entry] = []
    var entry = Entry()
    var field = Field.key
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        entries.append(entry)
        entry = Entry()
      } else if line.hasPrefix("#,") {
        entry.isFuzzy = line.contains("fuzzy")
      } else if !line.hasPrefix("#"), let quote = line.firstIndex(of: "\"") {
        field = Field(line[..<quote]) ?? field
        if line.hasPrefix("msgstr") { entry.texts.append("") }
        let value = unescaped(line[quote...].dropFirst().dropLast())
        switch field {
        case .key: entry.key += value
        case .plural: entry.pluralKey = (entry.pluralKey ?? "") + value
        case .text: entry.texts[entry.texts.count - 1] += value
        }
      }
    }
    return entries + [entry]
  }

  private enum Field {
    case key, plural, text

    init?(_ word: Substring) {
      if word.hasPrefix("msgid_plural") {
        self = .plural
      } else if word.hasPrefix("msgid") {
        self = .key
      } else if word.hasPrefix("msgstr") {
        self = .text
      } else {
        return nil
      }
    }
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}
