public import Design
public import Stress

/// What the output can show: colour never carries meaning alone, so all of it may be missing.
public struct TerminalStyle: Equatable, Sendable {
  public enum Colours: Equatable, Sendable {
    case none
    case sixteen
    case twoHundredFiftySix
    case trueColour
  }

  public var colours: Colours
  /// Whether characters beyond ASCII may be used.
  public var unicode: Bool

  /// What lies behind the text; nil where nobody says, and colours have to do on both.
  public var theme: Theme?

  public init(colours: Colours, unicode: Bool, theme: Theme? = nil) {
    self.colours = colours
    self.unicode = unicode
    self.theme = theme
  }

  public static let plain = TerminalStyle(colours: .none, unicode: true)

  /// What the environment says. Colour needs a terminal that is not dumb, and NO_COLOR empty or absent
  /// (no-color.org); the locale says whether Unicode can be shown.
  public init(environment: [String: String], isTerminal: Bool) {
    let term = environment["TERM"] ?? "dumb"
    let refused = !(environment["NO_COLOR"] ?? "").isEmpty
    let rich = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    let many = term.hasSuffix("-256color") || term.hasSuffix("-direct")
    colours =
      !isTerminal || refused || term == "dumb"
      ? .none : rich ? .trueColour : many ? .twoHundredFiftySix : .sixteen
    theme = Self.theme(ofColours: environment["COLORFGBG"] ?? "")
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let name = locale.uppercased()
    unicode = name.contains("UTF-8") || name.contains("UTF8")
  }

  public func bold(_ text: String) -> String { colours == .none ? text : "\u{1B}[1m\(text)\u{1B}[0m" }
  public func dim(_ text: String) -> String { colours == .none ? text : "\u{1B}[2m\(text)\u{1B}[0m" }

  /// The text in the colour of a category, so that it can be read.
  public func coloured(_ text: String, _ category: StressCategory) -> String {
    guard colours != .none else { return text }
    return "\u{1B}[\(colourCode(category))m\(text)\u{1B}[0m"
  }

  private func colourCode(_ category: StressCategory) -> String {
    let codes =
      switch theme {
      case .light: ColourCodes.onLight
      case .dark: ColourCodes.onDark
      case nil: ColourCodes.onEither
      }
    return switch colours {
    case .none: ""
    case .sixteen: String(category.token.ansi)
    case .twoHundredFiftySix: codes.indexed(category)
    case .trueColour: codes.exact(category)
    }
  }

  /// What `COLORFGBG` says, which some terminals set: numbers of the sixteen colours, the background last.
  private static func theme(ofColours numbers: String) -> Theme? {
    guard let last = numbers.split(separator: ";").last.flatMap({ Int($0) }), 0...15 ~= last else {
      return nil
    }
    return last == 7 || last == 15 ? .light : .dark
  }
}

extension StressCategory {
  /// The word, as it stands in a sentence of its own.
  public var word: String { token.word }

  /// Leaf, circle, triangle, square.
  public func icon(unicode: Bool) -> String { unicode ? token.glyph : token.asciiGlyph }

  /// Solid, diagonal, dots, crosshatch: what the bar is filled with.
  public func pattern(unicode: Bool) -> String { unicode ? token.fill : token.asciiFill }
}
