package import Localization

/// Table columns of known widths. On a narrow terminal, the least important columns are omitted.
package struct ColumnLayout: Sendable {
  package struct Column: Sendable {
    let heading: String
    let alignment: TextTable.Alignment
    let width: Int
    let rank: Int

    /// - Parameters:
    ///   - width: Width of the cells in characters; a wider heading increases it.
    ///   - rank: 0 is never omitted; columns with the highest rank are omitted first.
    package init(_ heading: String, _ alignment: TextTable.Alignment, width: Int, rank: Int = 0) {
      self.heading = heading
      self.alignment = alignment
      self.width = max(width, heading.columns)
      self.rank = rank
    }
  }

  private static let gap = "  "

  private let columns: [Column]
  /// Indices of the columns that are shown.
  private let shown: [Int]
  private let width: Int?
  private let unicode: Bool

  /// - Parameters:
  ///   - width: Width of the terminal in characters. By default, it is not limited.
  ///   - unicode: Whether clipped text may end in a non-ASCII character.
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

  /// A line with one cell per column, without trailing spaces, clipped to the width of the terminal.
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

/// A table with headings, whose columns are as wide as their content.
package struct TextTable: Sendable {
  package enum Alignment: Sendable {
    case left
    case right
  }

  private let headings: [(text: String, alignment: Alignment)]
  private var rows: [[String]] = []

  package init(_ headings: [(text: String, alignment: Alignment)]) { self.headings = headings }

  /// A number with a fixed number of decimals; a dash if it is unknown.
  package static func number(_ value: Double?, _ decimals: Int) -> String {
    value.map { $0.fixed(decimals) } ?? "-"
  }

  /// Adds a row with one text per heading.
  package mutating func append(_ row: [String]) { rows.append(row.map(\.printable)) }

  /// The table as lines without trailing spaces. To fit into `width` columns, columns with headings in `expendable` are
  /// omitted, in that order; lines that are still too wide are clipped. Numbers in columns that are aligned to the right get the
  /// decimal sign of `language`.
  package func lines(
    width: Int? = nil, expendable: [String] = [], unicode: Bool = true, language: Language = .english
  ) -> [String] {
    let columns = headings.indices.map { place in
      let heading = headings[place]
      return ColumnLayout.Column(
        heading.text, heading.alignment,
        width: rows.reduce(heading.text.columns) { max($0, $1[place].columns) },
        rank: expendable.firstIndex(of: heading.text).map { expendable.count - $0 } ?? 0)
    }
    let layout = ColumnLayout(columns, width: width, unicode: unicode)
    return [layout.headings] + rows.map { layout.line(localized($0, language)) }
  }

  /// The table in the characters and the language of `style`.
  package func lines(_ style: TerminalStyle, width: Int?, expendable: [String] = []) -> [String] {
    lines(width: width, expendable: expendable, unicode: style.unicode, language: style.language)
  }

  private func localized(_ row: [String], _ language: Language) -> [String] {
    zip(headings, row).map { $0.alignment == .right ? language.number($1) : $1 }
  }
}
