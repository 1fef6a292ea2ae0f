import Localization
import Reports
import Terminal

extension ReportDocument {
  /// The document for a terminal, without its figures.
  func text(_ style: TerminalStyle, width: Int) -> String {
    let blocks = self.blocks.map { lines($0, style, width) }.filter { !$0.isEmpty }
    return ([[style.bold(title.printable)]] + blocks).map { $0.map { $0 + "\n" }.joined() }
      .joined(separator: "\n")
  }

  /// The sentences for a screen reader, without tables and figures.
  func spoken(_ style: TerminalStyle) -> String {
    let sentences = blocks.flatMap { block -> [String] in
      switch block {
      case .heading, .table, .figure: []
      case .paragraph(let text): [text.printable]
      case .list(let items): items.map(\.printable)
      }
    }
    return ([title.printable + "."] + sentences).map { $0 + "\n" }.joined()
  }

  private func lines(_ block: Block, _ style: TerminalStyle, _ width: Int) -> [String] {
    switch block {
    case .heading(let text): return [style.bold(text.printable)]
    case .paragraph(let text): return text.printable.wrapped(to: width, unicode: style.unicode)
    case .list(let items): return items.flatMap { item($0.printable, style, width) }
    case .table(let caption, let headings, let rows):
      var table = TextTable(headings.enumerated().map { ($1, $0 == 0 ? .left : .right) })
      for row in rows { table.append(row.map(\.printable)) }
      return caption.printable.wrapped(to: width, unicode: style.unicode)
        + table.lines(width: width, unicode: style.unicode)
    case .figure: return []
    }
  }

  /// An item of a list, whose other lines are indented.
  private func item(_ text: String, _ style: TerminalStyle, _ width: Int) -> [String] {
    text.wrapped(to: max(10, width - 2), unicode: style.unicode).enumerated().map { place, line in
      (place == 0 ? (style.unicode ? "• " : "- ") : "  ") + line
    }
  }
}
