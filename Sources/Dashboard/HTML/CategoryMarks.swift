import Design
import Localization
import Stress

/// Colour, icon, pattern and word of a category, which always appear together.
enum CategoryMarks {
  /// The patterns of the categories as SVG definitions, once on each page, drawn over the hue. Solid has none.
  static let patterns: HTML = "<defs>\(definitions(.text))\(definitions(.dark))</defs>"

  /// The strokes of a pattern: in the colour of the text over a light tint, dark over a full hue.
  enum Ink: String {
    case text = "pattern"
    case dark
  }

  private static func definitions(_ ink: Ink) -> HTML {
    let name = HTML(trusted: ink.rawValue)
    return """
      <pattern id="\(name)-diagonal" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
      <path class="\(name)-ink" d="M4 0v8"/></pattern>
      <pattern id="\(name)-dots" width="8" height="8" patternUnits="userSpaceOnUse"><circle class="\(name)-dot" cx="4"\
       cy="4" r="1.5"/></pattern>
      <pattern id="\(name)-crosshatch" width="6" height="6" patternUnits="userSpaceOnUse"><path class="\(name)-ink"\
       d="M3 0v6M0 3h6"/></pattern>
      """
  }

  /// The paint of the pattern for a `fill` or `stroke` attribute.
  static func paint(_ category: StressCategory?, _ ink: Ink = .text) -> String {
    guard let category, category != .relaxed else { return "none" }
    return "url(#\(ink.rawValue)-\(category.token.pattern))"
  }

  static func word(_ category: StressCategory, _ context: PageContext) -> String {
    context.localized(Phrase(known: category.token.word))
  }

  /// The icons of all categories; the style sheet shows the one of the class of the parent element.
  static var icons: HTML {
    "\(StressCategory.allCases.map { "<span class=\"only-\($0.rawValue)\">\(Icon.category($0))</span>" as HTML })"
  }
}
