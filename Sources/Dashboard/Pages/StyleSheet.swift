import Design
import Stress

/// The style sheet of all pages: variables generated from the design tokens, and the rules of `Assets/*.css`, which use only these
/// variables for colours.
enum StyleSheet {
  static let text: [UInt8] =
    Array(variables.utf8) + PackageResources.base_css + PackageResources.records_css

  /// The variables of each theme and accent, selected by attributes of the root element and by the browser's preferences.
  static var variables: String {
    let light = Palette(.light)
    let dark = Palette(.dark)
    let lightContrast = Palette(.light, highContrast: true)
    let darkContrast = Palette(.dark, highContrast: true)
    let system = ":root[data-theme=system]"
    let contrast = ":root[data-theme=high-contrast]"
    return """
      \(tokens)
      \(rules(":root", light))\(rules(":root[data-theme=dark]", dark))\(rules(contrast, lightContrast))
      @media (prefers-color-scheme: dark) {
      \(rules(system, dark))\(rules(contrast, darkContrast))}
      @media (prefers-contrast: more) {
      \(rules("\(system),:root[data-theme=light]", lightContrast))\(rules(":root[data-theme=dark]", darkContrast))}
      @media (prefers-contrast: more) and (prefers-color-scheme: dark) {
      \(rules(system, darkContrast))}
      \(forcedColours)
      \(textSizes)

      """
  }

  private static var tokens: String {
    """
    :root{--grid:\(Tokens.Spacing.grid)px;--corner:\(Tokens.Spacing.corner)px;--target:\(Tokens.Spacing.target)px;\
    --focus:\(Tokens.Spacing.focus)px;--heading:\(PageFonts.heading),\(Tokens.Typeface.heading);\
    --body:\(PageFonts.body),\(Tokens.Typeface.body);\
    --breath:\(Tokens.Motion.breathSeconds)s;--fidget:\(Tokens.Motion.fidgetSeconds)s;\
    --shake:\(Tokens.Motion.shakeSeconds)s;--dizzy:\(Tokens.Motion.dizzySeconds)s;\
    --morph:\(Tokens.Motion.morphSeconds)s}
    """
  }

  private static func rules(_ selectors: String, _ palette: Palette) -> String {
    let all = selectors.split(separator: ",")
    let accents = PagePreferences.Accent.allCases.map { accent in
      let selector = all.map { "\($0)[data-accent=\(accent.rawValue)]" }.joined(separator: ",")
      return "\(selector){--accent:\(palette.text(accent.wellness).hex)}\n"
    }
    let categories = StressCategory.allCases.map { category in
      let name = category.rawValue
      return "--\(name):\(palette.fill(category).hex);--\(name)-text:\(palette.text(category).hex);"
        + "--\(name)-line:\(palette.outline(category).hex)"
    }
    return """
      \(selectors){color-scheme:\(palette.theme.rawValue);--ground:\(palette.backgrounds[0].hex);\
      --surface:\(palette.backgrounds[1].hex);--text:\(palette.text.hex);--quiet:\(palette.secondaryText.hex);\
      --on-accent:\((palette.theme == .light ? Colour.white : .black).hex);\
      --border:\(palette.isHighContrast ? "2px" : "1px");--hairline:\(divider(palette));--track:\(track(palette));\
      \(categories.joined(separator: ";"))}
      \(accents.joined())
      """
  }

  /// The colour of the outline of cards.
  private static func divider(_ palette: Palette) -> String {
    palette.isHighContrast ? "var(--text)" : track(palette)
  }

  /// The colour of the empty part of the ring and of the grid of charts, which must not look like values.
  private static func track(_ palette: Palette) -> String {
    "color-mix(in srgb,var(--text) \(palette.isHighContrast ? 22 : 14)%,var(--surface))"
  }

  /// The variables where the system chooses the colours. Figures keep the colours of their style (`preserve-parent-color`), so
  /// they follow the system through the variables. The hues of the categories keep their patterns.
  private static var forcedColours: String {
    let lines = StressCategory.allCases.map {
      "--\($0.rawValue)-text:CanvasText;--\($0.rawValue)-line:CanvasText"
    }
    return """
      @media (forced-colors: active) {
      :root[data-theme][data-accent][data-text-size]{--ground:Canvas;--surface:Canvas;--text:CanvasText;--quiet:CanvasText;\
      --accent:LinkText;--on-accent:Canvas;--hairline:CanvasText;--track:color-mix(in srgb,CanvasText 22%,Canvas);\
      \(lines.joined(separator: ";"))}
      }
      """
  }

  private static var textSizes: String {
    PagePreferences.textSizes.map { ":root[data-text-size=\"\($0)\"]{font-size:\($0)%}" }.joined()
  }
}

extension PagePreferences.Accent {
  /// The hue of the accent.
  var wellness: Tokens.Wellness {
    switch self {
    case .calm: .calm
    case .health: .health
    case .gentle: .gentle
    }
  }
}
