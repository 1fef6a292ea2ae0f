import Design
package import HRV
import Stress

/// The shape and colour of marks for beats that are not normal, by verdict.
package struct BeatMark {
  package let verdict: Verdict
  let colour: String
  /// SVG path of the shape around the origin, and whether it is filled.
  let shape: String
  let isFilled: Bool

  package static let all = [
    BeatMark(verdict: .ectopic, colour: "#b42318", shape: "M0-5L4.5 3.5H-4.5Z", isFilled: true),
    BeatMark(verdict: .missed, colour: "#6d28d9", shape: "M0-5L5 0L0 5L-5 0Z", isFilled: false),
    BeatMark(verdict: .extra, colour: "#0b5c75", shape: "M-4-4L4 4M-4 4L4-4", isFilled: false),
    BeatMark(verdict: .long, colour: "#92400e", shape: "M-4-4H4V4H-4Z", isFilled: true),
    BeatMark(verdict: .short, colour: "#166534", shape: "M0 5L4.5-3.5H-4.5Z", isFilled: false),
  ]

  package static func of(_ verdict: Verdict) -> BeatMark? { all.first { $0.verdict == verdict } }

  /// SVG definitions of all marks, referenced by the prefix and the name of the verdict.
  package static func definitions(prefix: String = "") -> String {
    all.reduce(into: SVGCanvas(width: 0, height: 0)) { canvas, mark in
      canvas.element(
        "path",
        "id=\"\(prefix)\(mark.verdict.rawValue)\" d=\"\(mark.shape)\" "
          + "fill=\"\(mark.isFilled ? mark.colour : Ink.ground)\" stroke=\"\(mark.colour)\" stroke-width=\"1.6\""
      )
    }.body
  }
}

extension SVGCanvas {
  /// Draws the mark of a verdict.
  mutating func mark(_ verdict: Verdict, x: Double, y: Double) {
    element("use", "href=\"#\(prefix)\(verdict.rawValue)\" x=\"\(x.svg)\" y=\"\(y.svg)\"")
  }
}

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
  static func definitions(prefix: String = "") -> String {
    StressCategory.allCases.map { pattern($0, prefix) }.joined()
  }

  private static func pattern(_ category: StressCategory, _ prefix: String) -> String {
    "<pattern id=\"\(prefix)\(category.rawValue)\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
      + "<rect width=\"8\" height=\"8\" fill=\"\(palette.fill(category).hex)\"/>\(strokes(category))</pattern>\n"
  }

  /// Returns the SVG attributes of a filled shape.
  static func fill(_ category: StressCategory, prefix: String = "") -> String {
    "fill=\"url(#\(prefix)\(category.rawValue))\" stroke=\"\(Ink.line)\""
  }

  static func drawLegend(_ texts: FigureTexts, left: Double, y: Double, on canvas: inout SVGCanvas) {
    for (place, category) in StressCategory.allCases.enumerated() {
      let x = left + 150 * Double(place)
      canvas.element(
        "rect",
        "x=\"\(x.svg)\" y=\"\((y - 11).svg)\" width=\"18\" height=\"13\" \(fill(category, prefix: canvas.prefix))"
      )
      canvas.text("\(texts.name(category)) \(25 * place) to \(25 * place + 25)", x: x + 24, y: y)
    }
  }
}
