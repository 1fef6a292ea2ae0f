import Platform
import Plot

/// A document with headings, tables and figures, which is rendered as Markdown or HTML.
package struct ReportDocument: Sendable {
  package enum Block: Equatable, Sendable {
    case heading(String)
    case paragraph(String)
    case list([String])
    case table(caption: String, headings: [String], rows: [[String]])
    /// An SVG element. Markdown omits it; its numbers are also in a table.
    case figure(svg: String)
  }

  package let title: String
  /// Language tag of the texts (BCP 47).
  package var language = "en"
  package var blocks: [Block] = []

  package init(title: String, language: String = "en", blocks: [Block] = []) {
    (self.title, self.language, self.blocks) = (title, language, blocks)
  }
}

// MARK: - Markdown

extension ReportDocument {
  package var markdown: String {
    (["# \(title.markdown)"] + blocks.compactMap(Self.markdown)).joined(separator: "\n\n") + "\n"
  }

  private static func markdown(_ block: Block) -> String? {
    switch block {
    case .heading(let text): return "## \(text.markdown)"
    case .paragraph(let text): return text.markdown
    case .list(let items): return items.map { "- \($0.markdown)" }.joined(separator: "\n")
    case .table(let caption, let headings, let rows):
      let rule = headings.indices.map { $0 == 0 ? "---" : "---:" }
      let all: [[String]] = [headings.map(\.markdown), rule] + rows.map { $0.map(\.markdown) }
      let lines = all.map { "| \($0.joined(separator: " | ")) |" }
      return caption.markdown + "\n\n" + lines.joined(separator: "\n")
    case .figure: return nil
    }
  }
}

extension String {
  /// The text with escaped Markdown characters, without control characters, because Markdown is printed to terminals.
  fileprivate var markdown: String {
    reduce(into: "") { escaped, character in
      if "\\`*_[]<>|#".contains(character) { escaped += "\\" }
      escaped +=
        character.isNewline
        ? " " : character.unicodeScalars.contains(where: \.isUnprintable) ? "\u{FFFD}" : String(character)
    }
  }
}

// MARK: - HTML

extension ReportDocument {
  /// A self-contained page with a light and a dark theme.
  package var html: String {
    """
    <!DOCTYPE html>
    <html lang="\(language.escaped)">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(title.escaped)</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <main>
    <h1>\(title.escaped)</h1>
    \(blocks.map(Self.html).joined(separator: "\n"))
    </main>
    </body>
    </html>

    """
  }

  private static func html(_ block: Block) -> String {
    switch block {
    case .heading(let text): return "<h2>\(text.escaped)</h2>"
    case .paragraph(let text): return "<p>\(text.escaped)</p>"
    case .list(let items):
      return "<ul>\n\(items.map { "<li>\($0.escaped)</li>" }.joined(separator: "\n"))\n</ul>"
    case .table(let caption, let headings, let rows): return table(caption, headings, rows)
    case .figure(let svg): return "<figure>\n\(svg)</figure>"
    }
  }

  private static func table(_ caption: String, _ headings: [String], _ rows: [[String]]) -> String {
    let head = headings.map { "<th scope=\"col\">\($0.escaped)</th>" }.joined()
    let body = rows.map { row in
      let cells = row.enumerated().map { place, cell in
        place == 0 ? "<th scope=\"row\">\(cell.escaped)</th>" : "<td>\(cell.escaped)</td>"
      }
      return "<tr>\(cells.joined())</tr>"
    }
    return """
      <div class="wide" tabindex="0" role="region" aria-label="\(caption.escaped)">
      <table>
      <caption>\(caption.escaped)</caption>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(body.joined(separator: "\n"))
      </tbody>
      </table>
      </div>
      """
  }

  /// The style sheet. Text has a contrast of at least 7:1 in both themes, and the colours of figures follow the theme.
  private static let style = """
    :root { --ground: #ffffff; --text: #1f2937; --quiet: #374151; --line: #6b7280; --grid: #e5e7eb; --shade: #d1d5db;
      --accent: #0b5c75; }
    @media (prefers-color-scheme: dark) { :root { --ground: #0f172a; --text: #e5e7eb; --quiet: #cbd5e1;
      --line: #94a3b8; --grid: #273449; --shade: #334155; --accent: #67e8f9; } }
    body { margin: 0; background: var(--ground); color: var(--text); line-height: 1.5;
      font-family: Raleway, system-ui, "DejaVu Sans", sans-serif; }
    main { max-width: 52rem; margin: 0 auto; padding: 24px 16px 64px; }
    h1, h2 { font-family: Lora, Georgia, serif; line-height: 1.25; }
    h1 { font-size: 1.75rem; } h2 { font-size: 1.25rem; margin-top: 40px; }
    .wide { overflow-x: auto; } .wide:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    caption { text-align: left; color: var(--quiet); padding: 8px 0; }
    th, td { padding: 6px 8px; text-align: right; border-bottom: 1px solid var(--grid); }
    th:first-child { text-align: left; font-weight: 600; } thead th { border-bottom-color: var(--line); }
    figure { margin: 16px 0; } figure svg { width: 100%; height: auto; border-radius: 12px; }
    svg [fill="#ffffff"] { fill: var(--ground); } svg [fill="#1f2937"], svg[fill="#1f2937"] { fill: var(--text); }
    svg [fill="#0b5c75"] { fill: var(--accent); } svg [fill="#d1d5db"] { fill: var(--shade); }
    svg [stroke="#0b5c75"] { stroke: var(--accent); } svg [stroke="#374151"] { stroke: var(--quiet); }
    svg [stroke="#e5e7eb"] { stroke: var(--grid); } svg [stroke="#d1d5db"] { stroke: var(--shade); }
    svg pattern [stroke="#1f2937"] { stroke: #1f2937; } svg pattern [fill="#1f2937"] { fill: #1f2937; }
    @media print { body { background: #ffffff; color: #000000; } }
    """
}
