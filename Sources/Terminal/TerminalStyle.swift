public import Stress

/// What the output can show: colour never carries meaning alone, so all of it may be missing.
public struct TerminalStyle: Equatable, Sendable {
  public enum Colours: Equatable, Sendable {
    case none
    case sixteen
    case trueColour
  }

  public var colours: Colours
  /// Whether characters beyond ASCII may be used.
  public var unicode: Bool

  public init(colours: Colours, unicode: Bool) {
    self.colours = colours
    self.unicode = unicode
  }

  public static let plain = TerminalStyle(colours: .none, unicode: true)

  /// What the environment says. Colour needs a terminal that is not dumb, and NO_COLOR empty or absent
  /// (no-color.org); the locale says whether Unicode can be shown.
  public init(environment: [String: String], isTerminal: Bool) {
    let term = environment["TERM"] ?? "dumb"
    let refused = !(environment["NO_COLOR"] ?? "").isEmpty
    let rich = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    colours = !isTerminal || refused || term == "dumb" ? .none : rich ? .trueColour : .sixteen
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let name = locale.uppercased()
    unicode = name.contains("UTF-8") || name.contains("UTF8")
  }

  public func bold(_ text: String) -> String { colours == .none ? text : "\u{1B}[1m\(text)\u{1B}[0m" }
  public func dim(_ text: String) -> String { colours == .none ? text : "\u{1B}[2m\(text)\u{1B}[0m" }

  /// The text in the colour of a category.
  public func coloured(_ text: String, _ category: StressCategory) -> String {
    switch colours {
    case .none: text
    case .sixteen: "\u{1B}[\(category.ansiColour)m\(text)\u{1B}[0m"
    case .trueColour: "\u{1B}[38;2;\(category.rgb)m\(text)\u{1B}[0m"
    }
  }
}

extension StressCategory {
  /// The word, as it stands in a sentence of its own.
  public var word: String {
    switch self {
    case .relaxed: "Relaxed"
    case .mild: "Mild"
    case .moderate: "Moderate"
    case .high: "High"
    }
  }

  /// Leaf, circle, triangle, square.
  public func icon(unicode: Bool) -> String {
    switch self {
    case .relaxed: unicode ? "♣" : "*"
    case .mild: unicode ? "●" : "o"
    case .moderate: unicode ? "▲" : "^"
    case .high: unicode ? "■" : "#"
    }
  }

  /// Solid, diagonal, dots, crosshatch: what the bar is filled with.
  public func pattern(unicode: Bool) -> String {
    switch self {
    case .relaxed: unicode ? "█" : "="
    case .mild: unicode ? "╱" : "/"
    case .moderate: unicode ? "•" : ":"
    case .high: unicode ? "╳" : "X"
    }
  }

  fileprivate var ansiColour: Int {
    switch self {
    case .relaxed: 32
    case .mild: 34
    case .moderate: 33
    case .high: 31
    }
  }

  /// The hues for dark backgrounds, which also stand on light ones beside the word and the icon.
  fileprivate var rgb: String {
    switch self {
    case .relaxed: "48;209;88"
    case .mild: "10;132;255"
    case .moderate: "255;214;10"
    case .high: "255;159;10"
    }
  }
}
