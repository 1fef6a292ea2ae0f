import Foundation

/// Generates Swift source from the design tokens, so that the program does not parse JSON at run time.
struct TokenSource {
  private struct Tokens: Decodable {
    struct Category: Decodable {
      var name, word, icon, pattern, light, dark, glyph, asciiGlyph, fill, asciiFill: String
      var ansi: Int
    }
    struct Surface: Decodable { var name, background, surface, text, secondary: String }
    struct Wellness: Decodable { var name, light, dark: String }

    var categories: [Category]
    var surfaces: [Surface]
    var wellness: [Wellness]
    var contrast: [String: Double]
    var spacing: [String: Int]
    var type: [String: String]
    var motion: [String: Double]
  }

  struct NoColour: Error { var text: String }

  let text: String
  /// The icon of the program as SVG: a heartbeat in the colour of calm.
  let icon: String

  init(json: Data) throws {
    let tokens = try JSONDecoder().decode(Tokens.self, from: json)
    let parts =
      [Self.head]
      + [
        try Self.categories(tokens.categories), try Self.surfaces(tokens.surfaces),
        try Self.wellness(tokens.wellness),
      ]
      + [
        Self.numbers(
          "Contrast", "Minimum contrast ratios of text and lines.", tokens.contrast.mapValues { "\($0)" }),
        Self.numbers("Spacing", "Spacing in pixels.", tokens.spacing.mapValues { "\($0)" }),
        Self.numbers(
          "Typeface", "Font families in order of preference.", tokens.type.mapValues { "\"\($0)\"" }),
        Self.numbers("Motion", "Durations in seconds.", tokens.motion.mapValues { "\($0)" }),
      ]
    guard let calm = tokens.wellness.first(where: { $0.name == "calm" }) else { throw NoColour(text: "calm") }
    icon = Self.icon(calm.light)
    text = parts.joined(separator: "\n") + "}\n"
  }

  private static func icon(_ background: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="\(background)"/>\
    <path d="M4 17h6l3-9 5 17 3-8h7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" \
    stroke-linejoin="round"/></svg>

    """
  }

  private static let head = """
    // Generated from tokens.json by `make tokens`. Edit that file instead.
    package import Stress

    /// The design tokens of screens, charts and pages.
    package enum Tokens {

    """

  private static func categories(_ all: [Tokens.Category]) throws -> String {
    let cases = try all.map { one in
      """
          case .\(one.name):
            Category(
              word: "\(one.word)", icon: "\(one.icon)", pattern: "\(one.pattern)", light: \(try colour(one.light)),
              dark: \(try colour(one.dark)), ansi: \(one.ansi), glyph: "\(one.glyph)", asciiGlyph: "\(one.asciiGlyph)",
              fill: "\(one.fill)", asciiFill: "\(one.asciiFill)")

      """
    }
    return """
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
      \(cases.joined())    }
        }

      """
  }

  private static func surfaces(_ all: [Tokens.Surface]) throws -> String {
    let cases = try all.map { one in
      """
          case .\(one.name):
            Surface(
              background: \(try colour(one.background)), surface: \(try colour(one.surface)),
              text: \(try colour(one.text)), secondary: \(try colour(one.secondary)))

      """
    }
    return """
        package struct Surface: Sendable {
          package let background, surface, text, secondary: Colour
        }

        package static func surface(_ theme: Theme) -> Surface {
          switch theme {
      \(cases.joined())    }
        }

      """
  }

  private static func wellness(_ all: [Tokens.Wellness]) throws -> String {
    let constants = try all.map {
      "    package static let \($0.name) = Wellness(light: \(try colour($0.light)), dark: \(try colour($0.dark)))\n"
    }
    return """
        package struct Wellness: Sendable {
          package let light, dark: Colour

      \(constants.joined())  }

      """
  }

  private static func numbers(_ name: String, _ what: String, _ values: [String: String]) -> String {
    let constants = values.sorted { $0.key < $1.key }.map {
      "    package static let \($0.key) = \($0.value)\n"
    }
    return """
        /// \(what)
        package enum \(name) {
      \(constants.joined())  }

      """
  }

  private static func colour(_ hex: String) throws -> String {
    guard hex.count == 7, hex.hasPrefix("#"), UInt32(hex.dropFirst(), radix: 16) != nil else {
      throw NoColour(text: hex)
    }
    return "Colour(0x\(hex.dropFirst()))"
  }
}
