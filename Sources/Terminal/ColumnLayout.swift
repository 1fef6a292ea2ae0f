/// Columns of known widths, of which those that matter least give way where there is no room.
package struct ColumnLayout: Sendable {
  package struct Column: Sendable {
    let heading: String
    let alignment: TextTable.Alignment
    let width: Int
    let rank: Int

    /// - Parameters:
    ///   - width: Of its cells, in columns of the terminal; a heading that is wider makes it as wide.
    ///   - rank: 0 always stays; of the others, the highest gives way first.
    package init(_ heading: String, _ alignment: TextTable.Alignment, width: Int, rank: Int = 0) {
      self.heading = heading
      self.alignment = alignment
      self.width = max(width, heading.columns)
      self.rank = rank
    }
  }

  private static let gap = "  "

  private let columns: [Column]
  /// The places of those that are shown.
  private let shown: [Int]
  private let width: Int?
  private let unicode: Bool

  /// - Parameters:
  ///   - width: Columns of the terminal; nil for as many as it takes.
  ///   - unicode: Whether what is clipped may end in a character beyond ASCII.
  package init(_ columns: [Column], width: Int? = nil, unicode: Bool = true) {
    self.columns = columns
    self.unicode = unicode
    self.width = width
    var shown = Array(columns.indices)
    func total() -> Int {
      shown.reduce(0) { $0 + columns[$1].width + Self.gap.utf8.count } - Self.gap.utf8.count
    }
    while let width, total() > width,
      let least = shown.indices.filter({ columns[shown[$0]].rank > 0 }).max(by: {
        columns[shown[$0]].rank < columns[shown[$1]].rank
      })
    { shown.remove(at: least) }
    self.shown = shown
  }

  /// The line of headings.
  package var headings: String { line(columns.map(\.heading)) }

  /// A line with one cell for each column, without trailing spaces; clipped to the terminal's width.
  package func line(_ cells: [String]) -> String {
    var line = shown.map { place in
      let column = columns[place]
      return column.alignment == .left
        ? cells[place].padded(to: column.width) : cells[place].aligned(to: column.width)
    }.joined(separator: Self.gap)
    while line.last == " " { line.removeLast() }
    return width.map { line.clipped(to: $0, unicode: unicode) } ?? line
  }
}
