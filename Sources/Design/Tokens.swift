// Generated from tokens.json by `make tokens`. Edit that file instead.
package import Stress

/// The design tokens of screens, charts and pages.
package enum Tokens {

  /// The tokens of a stress category: word, icon and pattern in addition to the colour.
  package struct Category: Sendable {
    package let word, icon, pattern: String
    package let light, dark: Colour
    /// The ANSI colour code for terminals with 16 colours.
    package let ansi: Int
    /// The icon as one character, in Unicode and in ASCII.
    package let glyph, asciiGlyph: String
    /// The pattern as one character, in Unicode and in ASCII.
    package let fill, asciiFill: String
  }

  package static func category(_ category: StressCategory) -> Category {
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

  package struct Surface: Sendable {
    package let background, surface, text, secondary: Colour
  }

  package static func surface(_ theme: Theme) -> Surface {
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

  package struct Wellness: Sendable {
    package let light, dark: Colour

    package static let calm = Wellness(light: Colour(0x0891B2), dark: Colour(0x22D3EE))
    package static let health = Wellness(light: Colour(0x10B981), dark: Colour(0x34D399))
    package static let gentle = Wellness(light: Colour(0x8B5CF6), dark: Colour(0xA78BFA))
  }

  /// Minimum contrast ratios of text and lines.
  package enum Contrast {
    package static let outline = 3.0
    package static let text = 4.5
    package static let textHigh = 7.0
  }

  /// Spacing in pixels.
  package enum Spacing {
    package static let corner = 12
    package static let focus = 3
    package static let grid = 8
    package static let target = 44
  }

  /// Font families in order of preference.
  package enum Typeface {
    package static let body = "Raleway, system-ui, sans-serif"
    package static let heading = "Lora, Georgia, serif"
  }

  /// Durations in seconds.
  package enum Motion {
    package static let breathSeconds = 4.0
    package static let dizzySeconds = 1.5
    package static let fidgetSeconds = 2.0
    package static let morphSeconds = 0.3
    package static let shakeSeconds = 0.5
  }
}
