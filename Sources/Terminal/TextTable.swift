/// Rows of text under headings, in columns as wide as their content.
public struct TextTable: Sendable {
  public enum Alignment: Sendable {
    case left
    case right
  }

  private let headings: [(text: String, alignment: Alignment)]
  private var rows: [[String]] = []

  public init(_ headings: [(text: String, alignment: Alignment)]) { self.headings = headings }

  /// Adds a row with one text for each heading.
  public mutating func append(_ row: [String]) { rows.append(row.map(\.printable)) }

  /// The table as lines without trailing spaces, each clipped to `width` columns where one is given.
  public func lines(width: Int? = nil) -> [String] {
    let all = [headings.map(\.text)] + rows
    let widths = headings.indices.map { column in all.map { $0[column].columns }.max() ?? 0 }
    return all.map { row in
      let cells = row.indices.map { column in
        headings[column].alignment == .left
          ? row[column].padded(to: widths[column]) : row[column].aligned(to: widths[column])
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return width.map { line.clipped(to: $0) } ?? line
    }
  }
}
