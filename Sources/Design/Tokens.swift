// Made from tokens.json by `make tokens`. Edit that file.
public import Stress

/// What screens, charts and pages are made of.
public enum Tokens {

  /// A category of stress: always a word, an icon and a pattern beside the colour.
  public struct Category: Sendable {
    public let word, icon, pattern: String
    public let light, dark: Colour
    /// The colour of a terminal that has sixteen.
    public let ansi: Int
    /// The icon as one character, and as one of ASCII.
    public let glyph, asciiGlyph: String
    /// The pattern, likewise.
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

  /// Ratios that text and lines have at least.
  public enum Contrast {
    public static let outline = 3.0
    public static let text = 4.5
    public static let textHigh = 7.0
  }

  /// In pixels.
  public enum Spacing {
    public static let corner = 12
    public static let focus = 3
    public static let grid = 8
    public static let target = 44
  }

  /// Families, the wished one first.
  public enum Typeface {
    public static let body = "Raleway, system-ui, sans-serif"
    public static let heading = "Lora, Georgia, serif"
  }

  /// Times in seconds, and the part by which a breath grows.
  public enum Motion {
    public static let breathScale = 0.05
    public static let breathSeconds = 4.0
    public static let dizzySeconds = 1.5
    public static let fidgetSeconds = 2.0
    public static let shakeSeconds = 0.5
  }
}
