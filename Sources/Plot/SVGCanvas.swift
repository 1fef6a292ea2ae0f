/// A builder of SVG documents.
struct SVGCanvas {
  private(set) var body = ""
  let width: Double
  let height: Double
  /// Begins the identifiers of patterns and marks, which must differ between the figures of a page.
  let prefix: String

  init(width: Double, height: Double, prefix: String = "") {
    (self.width, self.height, self.prefix) = (width, height, prefix)
  }

  /// Returns the document with a white background, a title and a description for screen readers.
  func document(title: String, description: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.svg) \(height.svg)" width="\(width.svg)" \
    height="\(height.svg)" role="img" aria-labelledby="title desc" \
    font-family="Raleway, system-ui, 'DejaVu Sans', sans-serif" font-size="12" fill="\(Ink.text)">
    <title id="title">\(title.escaped)</title>
    <desc id="desc">\(description.escaped)</desc>
    <rect width="100%" height="100%" fill="\(Ink.ground)"/>
    \(body)</svg>

    """
  }

  /// Returns an element for a page. It has no background, and its colours can be replaced by the style sheet of the page.
  func fragment(name: String) -> String {
    """
    <svg viewBox="0 0 \(width.svg) \(height.svg)" role="img" aria-label="\(name.escaped)" font-size="13" \
    fill="\(Ink.text)">
    \(body)</svg>
    """
  }

  /// Appends an element without content; `attributes` must already be escaped.
  mutating func element(_ name: String, _ attributes: String) { body += "<\(name) \(attributes)/>\n" }

  /// Appends definitions, which are drawn only where they are referenced.
  mutating func define(_ elements: String) { body += "<defs>\n\(elements)</defs>\n" }

  /// Appends elements with common attributes.
  mutating func group(_ attributes: String, _ content: (inout SVGCanvas) -> Void) {
    body += "<g \(attributes)>\n"
    content(&self)
    body += "</g>\n"
  }

  enum Anchor: String {
    case start
    case middle
    case end
  }

  mutating func text(
    _ text: String, x: Double, y: Double, _ anchor: Anchor = .start, attributes: String = ""
  ) {
    let more = attributes.isEmpty ? "" : " " + attributes
    body +=
      "<text x=\"\(x.svg)\" y=\"\(y.svg)\" text-anchor=\"\(anchor.rawValue)\"\(more)>\(text.escaped)</text>\n"
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ attributes: String) {
    element("path", "d=\"M\(x1.svg) \(y1.svg)L\(x2.svg) \(y2.svg)\" \(attributes)")
  }
}

/// The colours of text, lines and marks. Meaningful lines have a contrast of at least 4.5:1 with the
/// background, text 7:1.
enum Ink {
  static let ground = "#ffffff"
  static let text = "#1f2937"
  static let line = "#374151"
  static let accent = "#0b5c75"
  static let grid = "#e5e7eb"
  static let shade = "#d1d5db"
  static let edge = "#6b7280"

  /// All colours used for text or marks.
  static let foregrounds = [text, line, accent, edge] + BeatMark.all.map(\.colour)
}

extension Double {
  /// The number with at most one decimal.
  var svg: String {
    let tenths = (self * 10).rounded() / 10
    guard tenths.isFinite, abs(tenths) < 1e15 else { return "0" }
    return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
  }
}

extension String {
  /// The text escaped for XML and HTML. Characters that XML does not allow and bidirectional controls are replaced by
  /// U+FFFD.
  package var escaped: String {
    unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case _ where scalar.isUnprintable: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isUnprintable: Bool {
    switch properties.generalCategory {
    case .format: !properties.isJoinControl
    case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
