import Testing

@testable import Reports

@Suite struct ReportDocumentTests {
  private static let hostile =
    "<script>alert(1)</script> & \"quotes\" 'and' | *stars* `code` [link](x)\nnew line"

  private static let document: ReportDocument = {
    var document = ReportDocument(title: hostile)
    document.blocks = [
      .heading(hostile), .paragraph(hostile), .list([hostile, hostile]),
      .table(caption: hostile, headings: ["a", hostile], rows: [[hostile, "1"]]),
      .figure(svg: "<svg></svg>\n"),
    ]
    return document
  }()

  @Test("Text is escaped in HTML")
  func html() {
    let html = Self.document.html
    #expect(!html.contains("<script>") && html.contains("&lt;script&gt;"))
    var open: [Substring] = []
    for tag in html.matches(of: /<(\/?)([a-z][a-z0-9]*)(?:\s[^>]*)?>/) where tag.2 != "meta" {
      if tag.1 == "/" { #expect(open.popLast() == tag.2) } else { open.append(tag.2) }
    }
    #expect(open.isEmpty)
    #expect(!html.contains("http:") && !html.contains("https:") && !html.contains("src="))
    #expect(html.contains("<th scope=\"col\">a</th>") && html.contains("<caption>"))
    #expect(html.contains("prefers-color-scheme: dark"))
  }

  @Test("Text is escaped in Markdown, and tables keep their columns")
  func markdown() {
    let lines = Self.document.markdown.split(separator: "\n")
    #expect(lines.first?.hasPrefix("# \\<script\\>") == true)
    let table = lines.filter { $0.hasPrefix("| ") }
    #expect(table.count == 3)
    for line in table { #expect(line.replacing("\\|", with: "").count { $0 == "|" } == 3) }
    #expect(!Self.document.markdown.contains("<svg"))
  }
}
