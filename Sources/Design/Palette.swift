public import Stress

/// What lies behind the text.
public enum Theme: String, Sendable, CaseIterable {
  case light
  case dark
}

/// The colours of one theme that are used, each with the contrast that its use asks for.
///
/// The hues of the categories fill shapes only: on white the yellow has a contrast of 1.4. Text in them, and the outline
/// of what they fill, is mixed with black or white until it can be read.
public struct Palette: Sendable {
  public let theme: Theme
  public let isHighContrast: Bool
  private let surfaces: Tokens.Surface

  public init(_ theme: Theme, highContrast: Bool = false) {
    self.theme = theme
    isHighContrast = highContrast
    surfaces = Tokens.surface(theme)
  }

  /// What text and shapes stand on: the page, and cards on it.
  public var backgrounds: [Colour] { [surfaces.background, surfaces.surface] }

  public var text: Colour { surfaces.text }

  /// Of what matters less.
  public var secondaryText: Colour { surfaces.secondary.readable(on: backgrounds, ratio: textRatio) }

  /// Fills a shape of the category.
  public func fill(_ category: StressCategory) -> Colour {
    let token = category.token
    return theme == .light ? token.light : token.dark
  }

  /// Text about the category.
  public func text(_ category: StressCategory) -> Colour {
    fill(category).readable(on: backgrounds, ratio: textRatio)
  }

  /// The line around what ``fill(_:)`` fills.
  public func outline(_ category: StressCategory) -> Colour {
    fill(category).readable(on: backgrounds, ratio: isHighContrast ? textRatio : Tokens.Contrast.outline)
  }

  /// Text in one of the wellness colours.
  public func text(_ wellness: Tokens.Wellness) -> Colour {
    (theme == .light ? wellness.light : wellness.dark).readable(on: backgrounds, ratio: textRatio)
  }

  private var textRatio: Double { isHighContrast ? Tokens.Contrast.textHigh : Tokens.Contrast.text }
}
