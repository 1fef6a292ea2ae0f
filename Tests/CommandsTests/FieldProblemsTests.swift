import FoundationEssentials
import Testing

/// Each test that docs/design/field-problems.md names exists.
@Suite struct FieldProblemsTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private static func text(_ path: String) -> String {
    (try? Data(contentsOf: URL(filePath: "\(root)/\(path)"))).map { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }

  /// The names of all test functions, as `name(label:_:)`.
  private static let tests: Set<String> = {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/Tests")) ?? []
    let declarations = paths.filter { $0.hasSuffix("Tests.swift") }.flatMap { path in
      text("Tests/\(path)").matches(of: /func (\w+)\(([^{]*?)\)\s*(?:async\s+|throws\s+)*\{/).map {
        (name: String($0.1), parameters: String($0.2))
      }
    }
    return Set(
      declarations.map { name, parameters in
        let labels = parameters.matches(of: /(?:^|,\s*|\n\s*)(\w+)(?: \w+)?:/).map { "\($0.1):" }
        return "\(name)(\(labels.joined()))"
      })
  }()

  @Test func everyNamedTestExists() {
    let named = Self.text("docs/design/field-problems.md").matches(of: /`(\w+\([\w:]*\))`/).map {
      String($0.1)
    }
    #expect(named.count > 40)
    for name in Set(named) { #expect(Self.tests.contains(name), "\(name)") }
  }

  @Test func everyProblemHasARowWithATest() {
    let rows = Self.text("docs/design/field-problems.md").split(separator: "\n")
    for number in 1...15 {
      let row = rows.first { $0.hasPrefix("| \(number) |") }
      #expect(row?.split(separator: "|").last?.contains("`") == true, "\(number)")
    }
  }
}
