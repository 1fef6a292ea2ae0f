import Design
import FoundationEssentials
import HRV
import History
import Reports
import Stress
import TestSupport
import Testing

/// The catalogues contain exactly the phrases of the sources.
///
/// After adding or changing a text, `make translations` adds it to the languages, without a translation.
@Suite struct CatalogueTests {
  private static let root = URL(filePath: MessageCatalogue.folder).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// Texts of modules without localization.
  private static let known: [(file: String, texts: [String])] = [
    ("Sources/Design/tokens.json", StressCategory.allCases.map(\.token.word)),
    ("Sources/Stress/Confidence.swift", reasons),
    ("Sources/HRV/Beat.swift", Verdict.allCases.map(\.rawValue)),
    ("Sources/History/Connection/HistoryError.swift", reasonsOfHistoryErrors),
    ("Sources/Reports/Details/MeasurementDetails.swift", [MeasurementDetails.tooFewBeats]),
    ("Sources/Reports/Metrics/MetricCatalogue.swift", MetricCatalogue.series.map(\.name)),
    ("Sources/Stress/Sensor/SensorClassifier.swift", SensorClass.allCases.flatMap { [$0.name, $0.finding] }),
  ]

  /// The reasons and subjects of all factors; two factors can have the same.
  private static let reasons = Confidence.Factor.allCases.flatMap { [$0.reason, $0.subject] }.reduce(
    into: [String]()
  ) {
    if !$0.contains($1) { $0.append($1) }
  }

  private static var reasonsOfHistoryErrors: [String] {
    HistoryError.Code.allCases.map { HistoryError($0, path: "", .read).reason }
  }

  /// Parsed once, which takes seconds.
  private static let sources = Result { try SourcePhrases(root: root) }

  private static func phrases() throws -> [(phrase: SourcePhrases.Found, files: [String])] {
    let found = try sources.get().found
    let keys = Set(found.map(\.phrase.key))
    return found
      + known.flatMap { file, texts in
        texts.filter { !keys.contains($0) }.map { (SourcePhrases.Found(key: $0), [file]) }
      }
  }

  /// Writes po/stressmon.pot, the template of the languages, for `make translations`.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["STRESSMON_WRITE_TEMPLATE"] != nil))
  func templateIsWritten() throws {
    var template = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
    for (phrase, files) in try Self.phrases() {
      template += "\n" + files.map { "#: \($0)\n" }.joined() + "msgid \(Self.quoted(phrase.key))\n"
      if let plural = phrase.pluralKey {
        template += "msgid_plural \(Self.quoted(plural))\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"
      } else {
        template += "msgstr \"\"\n"
      }
    }
    try template.write(toFile: MessageCatalogue.folder + "/stressmon.pot", atomically: true, encoding: .utf8)
    let written = try MessageCatalogue("template", template).entries
    #expect(try written.map(\.key) == Self.phrases().map(\.phrase.key))
  }

  @Test func everyPhraseIsALiteralArgument() throws {
    #expect(try Self.sources.get().hidden == [])
  }

  @Test(arguments: MessageCatalogue.languages)
  func everyPhraseIsTranslatedWithItsPlaceholders(language: String) throws {
    let entries = try MessageCatalogue(language).entries
    let byKey = Dictionary(entries.map { ($0.key, $0) }) { first, _ in first }
    #expect(byKey.count == entries.count, "a text stands twice")
    let phrases = try Self.phrases().map(\.phrase)
    #expect(phrases.count > 150)
    #expect(phrases.map(\.key).filter { byKey[$0] == nil } == [], "\(language).po lacks these texts")
    for phrase in phrases {
      guard let entry = byKey[phrase.key] else { continue }
      #expect(entry.pluralKey == phrase.pluralKey && !entry.isFuzzy, "\(phrase.key)")
      #expect(entry.texts.count == (phrase.pluralKey == nil ? 1 : 2), "\(phrase.key)")
      for text in entry.texts {
        #expect(!text.isEmpty && Self.places(text) == Self.places(phrase.key), "\(phrase.key): \(text)")
        #expect(text.hasSuffix(".") == phrase.key.hasSuffix("."), "\(phrase.key): \(text)")
      }
    }
    #expect(Set(byKey.keys).subtracting(phrases.map(\.key)) == [], "texts that nothing uses any more")
  }

  @Test(arguments: [
    (#"localized("a \(b(c, "d)")) e")"#, ["a {1} e"], 0),
    (#"Phrase("a \(n) b", "c \(n) d", count: n)"#, ["a {1} b"], 0),
    ("localized(\n  \"\"\"\n  a \\\n  b\n  \"\"\")", ["a b"], 0),
    (#"passwords("a"), localized(x), Phrase(known: y)"#, [], 0),
    (#"localized(a ? "b" : "c")"#, [], 1), (#"localized("a" + b("c"))"#, ["a"], 1),
    (#"localized("say \"a\"")"#, [#"say "a""#], 0),
  ])
  func phrasesAreFoundInSources(source: String, keys: [String], hidden: Int) {
    let phrases = SourcePhrases(source)
    #expect(phrases.found.map(\.phrase.key) == keys)
    #expect(phrases.hidden.count == hidden)
  }

  private static func places(_ text: String) -> Set<String> {
    Set(
      text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { part in
        String(part.prefix { $0 != "}" })
      })
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped.replacing("\n", with: "\\n"))\""
  }
}
