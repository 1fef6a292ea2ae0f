package import Stress

/// The background brightness.
package enum Theme: String, Sendable, CaseIterable {
  case light
  case dark
}

/// The colours of one theme, adjusted to the contrast that their use requires.
///
/// The category hues are for fills only: the yellow has a contrast of 1.4 on white. Text and outlines in
/// these hues are mixed with black or white until they reach the required ratio.
package struct Palette: Sendable {
  package let theme: Theme
  package let isHighContrast: Bool
  private let surfaces: Tokens.Surface

  package init(_ theme: Theme, highContrast: Bool = false) {
    self.theme = theme
    isHighContrast = highContrast
    surfaces = Tokens.surface(theme)
  }

  /// The backgrounds of text and shapes: the page and its cards.
  package var backgrounds: [Colour] { [surfaces.background, surfaces.surface] }

  package var text: Colour { surfaces.text }

  /// Colour of secondary text.
  package var secondaryText: Colour { surfaces.secondary.readable(on: backgrounds, ratio: textRatio) }

  /// Returns the fill colour of a shape of the category.
  package func fill(_ category: StressCategory) -> Colour {
    let token = category.token
    return theme == .light ? token.light : token.dark
  }

  /// Returns the text colour of the category.
  package func text(_ category: StressCategory) -> Colour {
    fill(category).readable(on: backgrounds, ratio: textRatio)
  }

  /// Returns the colour of the outline of shapes with ``fill(_:)``.
  package func outline(_ category: StressCategory) -> Colour {
    fill(category).readable(on: backgrounds, ratio: isHighContrast ? textRatio : Tokens.Contrast.outline)
  }

  /// Returns the text colour for a wellness hue.
  package func text(_ wellness: Tokens.Wellness) -> Colour {
    (theme == .light ? wellness.light : wellness.dark).readable(on: backgrounds, ratio: textRatio)
  }

  private var textRatio: Double { isHighContrast ? Tokens.Contrast.textHigh : Tokens.Contrast.text }
}

extension StressCategory {
  /// The design tokens of the category.
  package var token: Tokens.Category { Tokens.category(self) }
}
