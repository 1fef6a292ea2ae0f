import Plot

/// A table that scrolls within its own region, because its page must never do so.
struct DataTable: Sendable {
  struct Row: Sendable {
    let cells: [Cell]
    /// The position of the row's value in a chart, as two numbers.
    let point: String?

    /// - Parameter cells: the first one is the heading of the row.
    init(_ cells: [Cell], point: InlineFigure.Point? = nil) { self.init(cells, at: point?.text) }

    init(_ cells: [Cell], at point: String?) { (self.cells, self.point) = (cells, point) }
  }

  /// Text, or HTML such as a link.
  struct Cell: Sendable, ExpressibleByStringLiteral {
    let html: HTML

    init(_ html: HTML) { self.html = html }
    init(_ text: String) { html = "\(text)" }
    init(stringLiteral text: String) { html = "\(text)" }
  }

  let caption: String
  let headings: [String]
  let rows: [Row]
  /// Whether the columns after the first one contain numbers.
  var isNumeric = true

  init(caption: String, headings: [String], rows: [Row], isNumeric: Bool = true) {
    (self.caption, self.headings, self.rows, self.isNumeric) = (caption, headings, rows, isNumeric)
  }

  var html: HTML {
    """
    <div class="table-wrap" tabindex="0" role="region" aria-label="\(caption)">
    <table\(attribute: "class", isNumeric ? "numbers" : nil)><caption>\(caption)</caption>
    <thead><tr>\(headings.map(Self.heading))</tr></thead>
    <tbody>
    \(rows.map(Self.row).joined(separator: "\n"))
    </tbody></table></div>
    """
  }

  private static func heading(_ name: String) -> HTML {
    name.isEmpty ? "<td></td>" : "<th scope=\"col\">\(name)</th>"
  }

  private static func row(_ row: Row) -> HTML {
    let cells = row.cells.enumerated().map { place, cell in
      place == 0 ? "<th scope=\"row\">\(cell.html)</th>" as HTML : "<td>\(cell.html)</td>"
    }
    return "<tr\(attribute: "data-point", row.point)>\(cells)</tr>"
  }
}
