import FoundationEssentials
import TestSupport
import Testing

@testable import Localization

@Suite struct CompiledCatalogueTests {
  /// A catalogue as msgfmt writes it: the header, two tables, and the texts.
  private static func compiled(_ entries: [(key: String, text: String)]) -> [UInt8] {
    let tables = 28 + 16 * entries.count
    var texts: [UInt8] = []
    func table(_ values: [String]) -> [UInt32] {
      values.flatMap { value -> [UInt32] in
        defer { texts += Array(value.utf8) + [0] }
        return [UInt32(value.utf8.count), UInt32(tables + texts.count)]
      }
    }
    let (keys, translations) = (table(entries.map(\.key)), table(entries.map(\.text)))
    let count = UInt32(entries.count)
    let words = [0x9504_12DE, 0, count, 28, 28 + 8 * count, 0, 28] + keys + translations
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } } + texts
  }

  /// The texts are sorted by their bytes.
  private static let german = compiled([
    ("", "Plural-Forms: nplurals=2; plural=(n != 1);\n"), ("heart rate", "Puls"),
    ("{1} beat\0{1} beats", "{1} Schlag\0{1} Schläge"),
  ])

  @Test func textsAreTranslatedWithTheirPluralForms() throws {
    let catalogue = try #require(CompiledCatalogue(Self.german))
    #expect(catalogue.text("heart rate", nil) == "Puls")
    #expect(catalogue.text("unknown", nil) == nil && catalogue.text("", nil) == nil)
    for (count, text) in [(0, "{1} Schläge"), (1, "{1} Schlag"), (2, "{1} Schläge")] {
      #expect(catalogue.text("{1} beat", ("{1} beats", count)) == text)
      #expect(catalogue.text("{1} gap", ("{1} gaps", count)) == nil)
      #expect(catalogue.text("heart rate", ("heart rates", count)) == nil)
    }
  }

  @Test func zeroIsSingularInFrench() throws {
    let bytes = Self.compiled([
      ("", "Plural-Forms: nplurals=2; plural=(n > 1);\n"), ("{1} day\0{1} days", "{1} jour\0{1} jours"),
    ])
    let catalogue = try #require(CompiledCatalogue(bytes))
    #expect(catalogue.text("{1} day", ("{1} days", 0)) == "{1} jour")
    #expect(catalogue.text("{1} day", ("{1} days", 2)) == "{1} jours")
  }

  @Test func damagedFilesAreNoCatalogues() {
    #expect(CompiledCatalogue([]) == nil)
    #expect(CompiledCatalogue(path: "/nonexistent") == nil)
    for length in 0..<Self.german.count - 1 where length < 28 + 16 * 3 + 1 {
      #expect(CompiledCatalogue(Array(Self.german[..<length])) == nil)
    }
    for offset in 0..<28 + 16 * 3 {
      var bytes = Self.german
      bytes[offset] ^= 0xFF
      _ = CompiledCatalogue(bytes)
    }
  }

  @Test(
    arguments: [
      ("de-AT,de;q=0.9,en;q=0.8", "de"), ("fr;q=0.1, es;q=0.7", "es"), ("pt, *;q=0.5", "en"),
      ("en-GB,de", "en"),
      ("de;q=0, fr", "fr"), ("", "en"), (nil, "en"),
    ] as [(String?, String)])
  func theBrowserSelectsTheLanguage(header: String?, name: String) throws {
    let folder = try TemporaryFolder(prefix: "catalogues")
    for language in ["de", "es", "fr"] {
      let path = folder.file("\(language)/LC_MESSAGES")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(Self.german).write(to: URL(filePath: path + "/stressmon.mo"))
    }
    let catalogues = LanguageCatalogues(folders: ["/nonexistent", folder.path])
    #expect(catalogues.language(accepted: header).name == name)
    #expect(catalogues.language("de").text(Phrase("heart rate")) == "Puls")
    #expect(catalogues.language("xx") == .english)
  }
}
