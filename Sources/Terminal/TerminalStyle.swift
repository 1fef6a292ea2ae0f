package import Design
package import Localization
package import Stress

/// What the output can show: colour never carries meaning alone, so all of it may be missing.
package struct TerminalStyle: Equatable, Sendable {
  package enum Colours: Equatable, Sendable {
    case none
    case sixteen
    case twoHundredFiftySix
    case trueColour
  }

  package var colours: Colours
  /// Whether characters beyond ASCII may be used.
  package var unicode: Bool

  /// What lies behind the text; nil where nobody says, and colours have to do on both.
  package var theme: Theme?
  /// Whether text has a contrast of 7:1 at least, and none is faint. Where nobody says what lies behind it, it has the
  /// colour that the terminal gives to all text.
  package var isHighContrast = false
  /// What words are in.
  package var language = Language.english

  package init(colours: Colours, unicode: Bool, theme: Theme? = nil, language: Language = .english) {
    self.colours = colours
    self.unicode = unicode
    self.theme = theme
    self.language = language
  }

  package static let plain = TerminalStyle(colours: .none, unicode: true)

  /// What the environment says. Colour needs a terminal that is not dumb, and NO_COLOR empty or absent
  /// (no-color.org); the locale says whether Unicode can be shown.
  package init(environment: [String: String], isTerminal: Bool) {
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

  package func bold(_ text: String) -> String { colours == .none ? text : "\u{1B}[1m\(text)\u{1B}[0m" }
  package func dim(_ text: String) -> String {
    colours == .none || isHighContrast ? text : "\u{1B}[2m\(text)\u{1B}[0m"
  }

  /// The text in the colour of a category, so that it can be read.
  package func coloured(_ text: String, _ category: StressCategory) -> String {
    guard colours != .none else { return text }
    return "\u{1B}[\(colourCode(category))m\(text)\u{1B}[0m"
  }

  private func colourCode(_ category: StressCategory) -> String {
    let codes: ColourCodes
    switch theme {
    case .light: codes = isHighContrast ? .highOnLight : .onLight
    case .dark: codes = isHighContrast ? .highOnDark : .onDark
    case nil:
      if isHighContrast { return "1" }
      codes = .onEither
    }
    return switch colours {
    case .none: ""
    // What a terminal makes of its sixteen is its own affair.
    case .sixteen: isHighContrast ? "1" : String(category.token.ansi)
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

extension TerminalStyle {
  /// The text in the person's language.
  package func localized(_ text: Phrase.Template) -> String { localized(Phrase(text)) }

  /// The text in the form for `count`.
  package func localized(_ one: Phrase.Template, _ many: Phrase.Template, count: Int) -> String {
    localized(Phrase(one, many, count: count))
  }

  package func localized(_ phrase: Phrase) -> String { language.text(phrase, ascii: !unicode) }

  /// The category, as it stands in a sentence of its own: `Relaxed`.
  package func word(_ category: StressCategory) -> String { localized(Phrase(known: category.word)) }
}

extension StressCategory {
  /// The word in English, as it stands in a sentence of its own.
  package var word: String { token.word }

  /// Leaf, circle, triangle, square.
  package func icon(unicode: Bool) -> String { unicode ? token.glyph : token.asciiGlyph }

  /// Solid, diagonal, dots, crosshatch: what the bar is filled with.
  package func pattern(unicode: Bool) -> String { unicode ? token.fill : token.asciiFill }
}
