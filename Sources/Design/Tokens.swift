// Generated from tokens.json by `make tokens`. Edit that file instead.
public import Stress

/// The design tokens of screens, charts and pages.
public enum Tokens {

  /// The tokens of a stress category: word, icon and pattern in addition to the colour.
  public struct Category: Sendable {
    public let word, icon, pattern: String
    public let light, dark: Colour
    /// The ANSI colour code for terminals with 16 colours.
    public let ansi: Int
    /// The icon as one character, in Unicode and in ASCII.
    public let glyph, asciiGlyph: String
    /// The pattern as one character, in Unicode and in ASCII.
    public let fill, asciiFill: String
  }

  public static func category(_ category: StressCategory) -> Category {
    switch category {
    case .relaxed:
      Category(
        word: "Relaxed", icon: "leaf", pattern: "solid", light: Colour(0x34C759),
        dark: Colour(0x30D158), ansi: 32, glyph: "♣", asciiGlyph: "*",
        fill: "█", asciiFill: "=")
    case .mild:
      Category(
        word: "Mild", icon: "circle", pattern: "diagonal", light: Colour(0x007AFF),
        dark: Colour(0x0A84FF), ansi: 34, glyph: "●", asciiGlyph: "o",
        fill: "╱", asciiFill: "/")
    case .moderate:
      Category(
        word: "Moderate", icon: "triangle", pattern: "dots", light: Colour(0xFFD60A),
        dark: Colour(0xFFD60A), ansi: 33, glyph: "▲", asciiGlyph: "^",
        fill: "•", asciiFill: ":")
    case .high:
      Category(
        word: "High", icon: "square", pattern: "crosshatch", light: Colour(0xFF9500),
        dark: Colour(0xFF9F0A), ansi: 31, glyph: "■", asciiGlyph: "#",
        fill: "╳", asciiFill: "X")
    }
  }

  public struct Surface: Sendable {
    public let background, surface, text, secondary: Colour
  }

  public static func surface(_ theme: Theme) -> Surface {
    switch theme {
    case .light:
      Surface(
        background: Colour(0xF2F2F7), surface: Colour(0xFFFFFF),
        text: Colour(0x000000), secondary: Colour(0x5C5C61))
    case .dark:
      Surface(
        background: Colour(0x000000), surface: Colour(0x1C1C1E),
        text: Colour(0xFFFFFF), secondary: Colour(0xEBEBF5))
    }
  }

  public struct Wellness: Sendable {
    public let light, dark: Colour

    public static let calm = Wellness(light: Colour(0x0891B2), dark: Colour(0x22D3EE))
    public static let health = Wellness(light: Colour(0x10B981), dark: Colour(0x34D399))
    public static let gentle = Wellness(light: Colour(0x8B5CF6), dark: Colour(0xA78BFA))
  }

  /// Minimum contrast ratios of text and lines.
  public enum Contrast {
    public static let outline = 3.0
    public static let text = 4.5
    public static let textHigh = 7.0
  }

  /// Spacing in pixels.
  public enum Spacing {
    public static let corner = 12
    public static let focus = 3
    public static let grid = 8
    public static let target = 44
  }

  /// Font families in order of preference.
  public enum Typeface {
    public static let body = "Raleway, system-ui, sans-serif"
    public static let heading = "Lora, Georgia, serif"
  }

  /// Durations in seconds, and the relative growth of a breath.
  public enum Motion {
    public static let breathScale = 0.05
    public static let breathSeconds = 4.0
    public static let dizzySeconds = 1.5
    public static let fidgetSeconds = 2.0
    public static let shakeSeconds = 0.5
  }
}
