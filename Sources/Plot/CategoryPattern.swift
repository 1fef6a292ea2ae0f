import Design
import Stress

/// The fills of the stress categories: colour, pattern and outline.
enum CategoryPattern {
  private static let palette = Palette(.light)

  /// SVG content of the pattern: solid, diagonal, dots or crosshatch.
  private static func strokes(_ category: StressCategory) -> String {
    let lines = "stroke=\"\(Ink.text)\" stroke-width=\"1\""
    switch category {
    case .relaxed: return ""
    case .mild: return "<path d=\"M-2 2L2-2M0 8L8 0M6 10L10 6\" \(lines)/>"
    case .moderate: return "<circle cx=\"4\" cy=\"4\" r=\"1.3\" fill=\"\(Ink.text)\"/>"
    case .high: return "<path d=\"M0 8L8 0M0 0L8 8\" \(lines)/>"
    }
  }

  /// SVG definitions of the patterns, referenced by category.
  static let definitions = StressCategory.allCases.map { category in
    "<pattern id=\"\(category.rawValue)\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
      + "<rect width=\"8\" height=\"8\" fill=\"\(palette.fill(category).hex)\"/>\(strokes(category))</pattern>\n"
  }.joined()

  /// Returns the SVG attributes of a filled shape.
  static func fill(_ category: StressCategory) -> String {
    "fill=\"url(#\(category.rawValue))\" stroke=\"\(Ink.line)\""
  }

  static func drawLegend(left: Double, y: Double, on canvas: inout SVGCanvas) {
    for (place, category) in StressCategory.allCases.enumerated() {
      let x = left + 150 * Double(place)
      canvas.element(
        "rect", "x=\"\(x.svg)\" y=\"\((y - 11).svg)\" width=\"18\" height=\"13\" \(fill(category))")
      canvas.text("\(category.rawValue) \(25 * place) to \(25 * place + 25)", x: x + 24, y: y)
    }
  }
}
