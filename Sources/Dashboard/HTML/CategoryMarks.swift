import Design
import Localization
import Stress

/// Colour, icon, pattern and word of a category, which always appear together.
enum CategoryMarks {
  /// The patterns of the categories as SVG definitions, drawn over the hue. Solid has none.
  static let patterns: HTML = """
    <defs>
    <pattern id="pattern-diagonal" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
    <path class="pattern-ink" d="M4 0v8"/></pattern>
    <pattern id="pattern-dots" width="8" height="8" patternUnits="userSpaceOnUse"><circle class="pattern-dot" cx="4"\
     cy="4" r="1.5"/></pattern>
    <pattern id="pattern-crosshatch" width="6" height="6" patternUnits="userSpaceOnUse"><path class="pattern-ink"\
     d="M3 0v6M0 3h6"/></pattern>
    </defs>
    """

  /// The paint of the pattern for a `fill` or `stroke` attribute.
  static func paint(_ category: StressCategory?) -> String {
    guard let category, category != .relaxed else { return "none" }
    return "url(#pattern-\(category.token.pattern))"
  }

  static func word(_ category: StressCategory, _ context: PageContext) -> String {
    context.localized(Phrase(known: category.token.word))
  }

  /// The icons of all categories; the style sheet shows the one of the class of the parent element.
  static var icons: HTML {
    "\(StressCategory.allCases.map { "<span class=\"only-\($0.rawValue)\">\(Icon.category($0))</span>" as HTML })"
  }
}
