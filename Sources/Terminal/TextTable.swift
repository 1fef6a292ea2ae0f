/// A table with headings, whose columns are as wide as their content.
package struct TextTable: Sendable {
  package enum Alignment: Sendable {
    case left
    case right
  }

  private let headings: [(text: String, alignment: Alignment)]
  private var rows: [[String]] = []

  package init(_ headings: [(text: String, alignment: Alignment)]) { self.headings = headings }

  /// Adds a row with one text per heading.
  package mutating func append(_ row: [String]) { rows.append(row.map(\.printable)) }

  /// The table as lines without trailing spaces. To fit into `width` columns, columns with headings in `expendable` are
  /// omitted, in that order; lines that are still too wide are clipped.
  package func lines(width: Int? = nil, expendable: [String] = [], unicode: Bool = true) -> [String] {
    let columns = headings.indices.map { place in
      let heading = headings[place]
      return ColumnLayout.Column(
        heading.text, heading.alignment,
        width: rows.reduce(heading.text.columns) { max($0, $1[place].columns) },
        rank: expendable.firstIndex(of: heading.text).map { expendable.count - $0 } ?? 0)
    }
    let layout = ColumnLayout(columns, width: width, unicode: unicode)
    return [layout.headings] + rows.map(layout.line)
  }
}
