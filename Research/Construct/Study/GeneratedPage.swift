import FoundationEssentials

/// A page of docs/ whose tables are generated: each is enclosed in `<!-- figures: NAME -->` and
/// `<!-- end of figures -->`.
package struct GeneratedPage: Sendable {
  package private(set) var text: String
  private let path: String

  /// A page without the block of this name.
  package struct MissingBlock: Error, CustomStringConvertible {
    let name, path: String
    package var description: String {
      "\(path) has no block '\(name)'; add the lines <!-- figures: \(name) --> and <!-- end of figures -->"
    }
  }

  /// Reads docs/design/`name`.
  package init(_ name: String) throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    path = "/\(root)/docs/design/\(name)"
    text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }

  /// Replaces the content of a block by the lines `content`, which have no final newline.
  package mutating func replace(_ name: String, with content: String) throws(MissingBlock) {
    let start = "<!-- figures: \(name) -->\n"
    guard let opening = text.firstRange(of: start),
      let closing = text[opening.upperBound...].firstRange(of: "<!-- end of figures -->")
    else { throw MissingBlock(name: name, path: path) }
    text.replaceSubrange(opening.upperBound..<closing.lowerBound, with: content + "\n")
  }

  /// Writes the page back.
  package func save() throws { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }
}

/// The pages with the tables of this study.
package enum StudyPages {
  /// Returns the names of the pages with their blocks, computed from the recordings of STRESSMON_TEST_DATA.
  package static func all() throws -> [(page: String, blocks: [(name: String, text: String)])] {
    let people = try TaskPerson.all()
    return [
      ("construct.md", ConstructTables(people).blocks), ("exertion.md", MovementTables(people).blocks),
      ("range.md", try RangeTables(RangePerson.all(), TwoSensors.all()).blocks),
    ]
  }
}
