import FoundationEssentials
import TestSupport
import Testing

/// The catalogues use the terms of docs/design/glossary.md.
@Suite struct GlossaryTests {
  /// A row of the table.
  struct Term: Sendable {
    let english: String
    /// The forbidden words by language.
    let forbidden: [String: [String]]

    /// Parses `| English | German | Spanish | French | de: word, word; es: word |`.
    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      guard cells.count == 5, cells[0] != "English", !cells[0].hasPrefix("-") else { return nil }
      english = cells[0]
      var forbidden: [String: [String]] = [:]
      for part in cells[4].split(separator: ";") {
        let words = part.split(separator: ":", maxSplits: 1)
        guard words.count == 2 else { return nil }
        forbidden[words[0].filter { $0 != " " }] = words[1].split(separator: ",").map {
          $0.split(separator: " ").joined(separator: " ")
        }
      }
      self.forbidden = forbidden
    }

    /// Whether an English text contains the term as a word, or its plural.
    func isIn(_ text: String) -> Bool {
      let words = " " + text.lowercased().map { $0.isLetter ? String($0) : " " }.joined() + " "
      return words.contains(" \(english) ") || words.contains(" \(english)s ")
    }
  }

  private static func terms() throws -> [Term] {
    let root = URL(filePath: MessageCatalogue.folder).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    let table = try String(contentsOfFile: root + "/docs/design/glossary.md", encoding: .utf8)
    return table.split(separator: "\n").filter { $0.hasPrefix("|") }.compactMap(Term.init)
  }

  @Test(arguments: MessageCatalogue.languages)
  func everyEntryUsesTheTermsOfTheGlossary(language: String) throws {
    let terms = try Self.terms()
    #expect(terms.count >= 15)
    for entry in try MessageCatalogue(language).entries {
      for term in terms where term.isIn(entry.key) {
        for word in term.forbidden[language] ?? [] {
          let isUsed = entry.texts.contains { $0.lowercased().contains(word.lowercased()) }
          #expect(!isUsed, "\(language): '\(word)' for '\(term.english)' in: \(entry.texts)")
        }
      }
    }
  }

  @Test(arguments: [
    ("No normal range yet", true), ("Normal ranges", true), ("abnormal range", false), ("the range", false),
  ])
  func termsAreFoundAsWords(text: String, isFound: Bool) throws {
    let term = try #require(try Self.terms().first { $0.english == "normal range" })
    #expect(term.isIn(text) == isFound)
  }
}
