import FoundationEssentials
import Testing

@testable import Reports

/// Every citation of the documentation and of `stressmon methods` has an entry in docs/reference/references.bib.
@Suite struct ReferencesTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// The entries: surnames of the first author and year.
  private static let entries = Documentation.page("references.bib").split(separator: "\n@").dropFirst().map {
    String($0)
  }

  private static func hasEntry(_ author: Substring, _ year: Substring) -> Bool {
    entries.contains { entry in
      guard entry.contains("year = {\(year)}"), let start = entry.firstRange(of: "author = {")?.upperBound,
        let end = entry[start...].firstIndex(of: "=")
      else { return false }
      return entry[start..<end].replacing("\\\"u", with: "ü").replacing("ue", with: "u").contains(
        author.replacing("ü", with: "u").replacing("ue", with: "u"))
        || entry[start..<end].contains(author) || author == "Force" && entry.contains("Task Force")
    }
  }

  /// Names before a year that are not citations: conferences, books without a first author next to the year, months, and years of
  /// recordings.
  private static let others: Set = ["CHI", "Analysis", "Sampling", "HR"]
  private static let months: Set = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  @Test func citationsOfTheDocumentationResolve() throws {
    #expect(Self.entries.count > 50)
    let pages = try ["docs/reference", "docs/guide", "docs/design", "docs"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/\(folder)").filter {
        $0.hasSuffix(".md")
      }
      .map { "\(Self.root)/\(folder)/\($0)" }
    }
    let citation =
      /([A-Z][A-Za-zéöüä\-]+)(?: et al\.| (?:&|and) [A-Z][A-Za-zéöü\-]+|, [A-Z][A-Za-z\-]+ (?:&|and) [A-Z][A-Za-z\-]+)?,?\s+\(?((?:19|20)\d\d)\b/
    var count = 0
    for page in pages {
      let text = String(decoding: try Data(contentsOf: URL(filePath: page)), as: UTF8.self)
      for match in text.matches(of: citation)
      where !Self.others.contains(String(match.1)) && !Self.months.contains(String(match.1)) {
        count += 1
        #expect(Self.hasEntry(match.1, match.2), "\(page): \(match.0)")
      }
    }
    #expect(count > 60)
  }

  @Test func referencesOfMethodsHaveTheirKeys() {
    for reference in MethodsText.Reference.all {
      #expect(Self.entries.contains { $0.contains("{\(reference.key),") }, "\(reference.key)")
    }
    for source in MetricCatalogue.series.compactMap(\.source) {
      #expect(MethodsText.Reference(citation: source) != nil, "\(source)")
    }
  }
}
