import Localization
import Plot

/// A chart of a page: figure, sentence that states its content, and a table of its values.
///
/// The script of the page adds a cursor that moves over the values by keyboard and reads them from the table.
struct ChartFigure: Sendable {
  /// Unique on the page.
  let id: String
  let figure: InlineFigure
  /// A sentence that states what the chart shows.
  let caption: String
  let table: DataTable
  /// The text above the table while it is closed.
  let tableTitle: String
  /// The instruction for the keyboard.
  let hint: String

  init(_ id: String, _ figure: InlineFigure, caption: String, table: DataTable, _ context: PageContext) {
    (self.id, self.figure, self.caption, self.table) = (id, figure, caption, table)
    tableTitle = context.localized("Show as a table")
    hint = Self.hint(context)
  }

  var html: HTML {
    """
    <figure class="chart" id="\(id)">
    <div class="chart-plot" tabindex="0" role="group" aria-label="\(caption)"\(cursor)>\(svg)</div>
    \(Self.reading(id))
    <figcaption>\(caption)</figcaption>
    <details class="chart-data"><summary>\(tableTitle)</summary>\(table.html)</details>
    </figure>
    """
  }

  /// The place of the value under the cursor.
  /// - Parameter text: the value, while there is a cursor.
  static func reading(_ id: String, _ text: String? = nil) -> HTML {
    let style = "chart-reading small\(text == nil ? "" : " active")"
    return "<p class=\"\(style)\" id=\"\(id)-reading\">\(text ?? "\u{A0}")</p>"
  }

  /// The instruction for the keyboard.
  static func hint(_ context: PageContext) -> String {
    context.localized("Move through the values with the arrow keys, Home and End.")
  }

  private var svg: HTML { HTML(trusted: figure.svg) }

  /// The script ignores charts without positions.
  private var cursor: HTML? {
    table.rows.contains { $0.point != nil } ? " data-hint=\"\(hint)\"" : nil
  }
}
