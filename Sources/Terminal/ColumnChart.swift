import Localization
package import Stress

/// A column chart as text, as wide as the terminal allows.
package struct ColumnChart: Sendable {
  package struct Column: Sendable {
    /// The label below the column.
    let label: String
    /// Absent if nothing was measured.
    let value: Double?
    /// Half the length of the error bar.
    let spread: Double
    /// The category whose pattern fills the column. Without a category, the value is drawn as a mark.
    let category: StressCategory?

    package init(label: String, value: Double?, spread: Double = 0, category: StressCategory? = nil) {
      self.label = label
      self.value = value.flatMap { $0.isFinite ? $0 : nil }
      self.spread = spread.isFinite ? max(0, spread) : 0
      self.category = category
    }
  }

  private let columns: [Column]
  private let axis: (low: Double, step: Double, rows: Int)
  private let band: ClosedRange<Double>?
  private let style: TerminalStyle

  private static let margin = 5
  private static let usualWidth = 80
  private static let widest = 6

  /// - Parameters:
  ///   - low: Value at the lower edge of the lowest row; `step` is the height of a row.
  ///   - band: The normal range, which is shaded.
  package init(
    _ columns: [Column], low: Double, step: Double, rows: Int, band: ClosedRange<Double>? = nil,
    style: TerminalStyle
  ) {
    self.columns = columns
    axis = (low, step, rows)
    self.band = band
    self.style = style
  }

  /// A chart of marks whose axis includes all of them and the band.
  package init(marks columns: [Column], band: ClosedRange<Double>?, style: TerminalStyle) {
    let ends = columns.flatMap { column in
      column.value.map { [$0 - column.spread, $0 + column.spread] } ?? []
    }
    let all = ends + (band.map { [$0.lowerBound, $0.upperBound] } ?? [])
    let (low, high) = (all.min() ?? 0, all.max() ?? 1)
    let step = [1, 2, 5, 10, 20, 50, 100, 200].first {
      (high / $0).rounded(.up) - (low / $0).rounded(.down) <= 8
    }
    let height = step ?? max(1, (high - low) / 7)
    let first = (low / height).rounded(.down)
    self.init(
      columns, low: first * height, step: height,
      rows: Int(min(12, max(2, (high / height).rounded(.up) - first))), band: band, style: style)
  }

  /// Shows the latest columns that fit into `width`. Without a width, shows all columns, in 80
  /// columns of text if they fit.
  package func lines(width: Int?) -> [String] {
    let room = width.map { max(1, $0 - Self.margin) } ?? max(Self.usualWidth - Self.margin, columns.count)
    let shown = Array(columns.suffix(room))
    let cell = max(1, min(Self.widest, room / max(1, shown.count)))
    var lines = (0..<axis.rows).reversed().map { row in
      let mark = label(row) + (style.unicode ? "│" : "|")
      return trimmed(mark + shown.map { self.cell($0, row, width: cell) }.joined())
    }
    let rule = String(repeating: style.unicode ? "─" : "-", count: cell * shown.count)
    lines.append(label(-1) + (style.unicode ? "└" : "+") + rule)
    lines.append(labels(shown, cell))
    if shown.contains(where: { $0.category != nil }) { lines.append(icons(shown, cell)) }
    guard let width else { return lines }
    return lines.map { $0.clipped(to: width, unicode: style.unicode) }
  }

  /// The label of every second row: the value at its upper edge.
  private func label(_ row: Int) -> String {
    let isShown = (row + 1).isMultiple(of: 2)
    return (isShown ? (axis.low + Double(row + 1) * axis.step).fixed(0) : "").aligned(to: Self.margin - 1)
  }

  private func cell(_ column: Column, _ row: Int, width: Int) -> String {
    let (low, high) = (axis.low + Double(row) * axis.step, axis.low + Double(row + 1) * axis.step)
    let inner = width > 1 ? width - 1 : 1
    let gap = width > 1 ? " " : ""
    guard let category = column.category else { return marked(column, low..<high, inner, gap) }
    // At least one row, because every column must be visible.
    guard let value = column.value, value > low || row == 0 else {
      return String(repeating: " ", count: width)
    }
    let filling = String(repeating: category.pattern(unicode: style.unicode), count: inner)
    return style.coloured(filling, category) + gap
  }

  private func marked(_ column: Column, _ row: Range<Double>, _ inner: Int, _ gap: String) -> String {
    let isNormal = band.map { $0.lowerBound < row.upperBound && $0.upperBound > row.lowerBound } ?? false
    let ground: Character = isNormal ? (style.unicode ? "░" : ".") : " "
    var cells = [Character](repeating: ground, count: inner)
    if let value = column.value {
      let middle = inner / 2
      if row.contains(value) || isLast(row) && value == row.upperBound {
        cells[middle] = style.unicode ? "●" : "o"
      } else if value - column.spread < row.upperBound, value + column.spread > row.lowerBound {
        cells[middle] = style.unicode ? "│" : "|"
      }
    }
    return String(cells) + (gap.isEmpty ? "" : String(ground))
  }

  private func isLast(_ row: Range<Double>) -> Bool {
    row.upperBound > axis.low + (Double(axis.rows) - 0.5) * axis.step
  }

  /// The labels that fit.
  private func labels(_ shown: [Column], _ cell: Int) -> String {
    var line = String(repeating: " ", count: Self.margin)
    for (place, column) in shown.enumerated() {
      let start = Self.margin + place * cell
      guard place == 0 || line.columns < start else { continue }
      line = line.padded(to: start) + column.label
    }
    return line
  }

  private func icons(_ shown: [Column], _ cell: Int) -> String {
    let icons = shown.map { column in
      (column.value == nil ? " " : column.category?.icon(unicode: style.unicode) ?? " ").padded(to: cell)
    }
    return trimmed(String(repeating: " ", count: Self.margin) + icons.joined())
  }

  private func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
