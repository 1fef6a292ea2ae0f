package import Design
import LiveSession
package import Localization
package import Stress

/// The capabilities of the output and the language. Colour is never the only carrier of information.
package struct TerminalStyle: Equatable, Sendable {
  package enum Colours: Equatable, Sendable {
    case none
    case sixteen
    case twoHundredFiftySix
    case trueColour
  }

  package var colours: Colours
  /// Whether non-ASCII characters may be used.
  package var unicode: Bool

  /// The background, if known. Otherwise, colours have contrast with both.
  package var theme: Theme?
  /// Whether all text has a contrast of at least 7:1 and none is faint. With an unknown background, text has the default
  /// colour of the terminal.
  /// Whether screens show one value, one sentence and one action.
  package var isSimple = false
  package var isHighContrast = false
  /// The language of all texts.
  package var language = Language.english

  package init(colours: Colours, unicode: Bool, theme: Theme? = nil, language: Language = .english) {
    self.colours = colours
    self.unicode = unicode
    self.theme = theme
    self.language = language
  }

  package static let plain = TerminalStyle(colours: .none, unicode: true)

  /// The style for an environment. Colour requires a terminal, a `TERM` other than `dumb`, and NO_COLOR empty or unset
  /// (no-color.org). The locale determines whether Unicode can be shown.
  package init(environment: [String: String], isTerminal: Bool) {
    let term = environment["TERM"] ?? "dumb"
    let refused = !(environment["NO_COLOR"] ?? "").isEmpty
    let rich = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    let many = term.hasSuffix("-256color") || term.hasSuffix("-direct")
    colours =
      !isTerminal || refused || term == "dumb"
      ? .none : rich ? .trueColour : many ? .twoHundredFiftySix : .sixteen
    theme = Self.theme(ofColours: environment["COLORFGBG"] ?? "")
    unicode = Language.allowsUnicode(in: environment)
  }

  package func bold(_ text: String) -> String { colours == .none ? text : "\u{1B}[1m\(text)\u{1B}[0m" }
  package func dim(_ text: String) -> String {
    colours == .none || isHighContrast ? text : "\u{1B}[2m\(text)\u{1B}[0m"
  }

  /// The text in the colour of a category, with sufficient contrast.
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
    // The contrast of the 16 configurable colours is unknown.
    case .sixteen: isHighContrast ? "1" : String(category.token.ansi)
    case .twoHundredFiftySix: codes.indexed(category)
    case .trueColour: codes.exact(category)
    }
  }

  /// The background according to `COLORFGBG`, which some terminals set: numbers of the 16 colours, the background last.
  private static func theme(ofColours numbers: String) -> Theme? {
    guard let last = numbers.split(separator: ";").last.flatMap({ Int($0) }), 0...15 ~= last else {
      return nil
    }
    return last == 7 || last == 15 ? .light : .dark
  }
}

extension TerminalStyle {
  /// The text in ``language``.
  package func localized(_ text: Phrase.Template) -> String { localized(Phrase(text)) }

  /// The text in ``language``, in the plural form for `count`.
  package func localized(_ one: Phrase.Template, _ many: Phrase.Template, count: Int) -> String {
    localized(Phrase(one, many, count: count))
  }

  package func localized(_ phrase: Phrase) -> String { language.text(phrase, ascii: !unicode) }

  /// The number with the decimal sign of ``language``.
  package func number(_ value: Double, _ decimals: Int) -> String { language.number(value.fixed(decimals)) }

  /// The name of the category in ``language``, capitalised: `Relaxed`.
  package func word(_ category: StressCategory) -> String { localized(Phrase(known: category.word)) }

  /// The name of the category in ``language``, for the middle of a sentence and for table cells: `relaxed`.
  package func lowercasedWord(_ category: StressCategory) -> String { localized(category.lowercasedName) }
}

extension StressCategory {
  /// The name of the category in English, capitalised.
  package var word: String { token.word }

  /// The icon: leaf, circle, triangle or square.
  package func icon(unicode: Bool) -> String { unicode ? token.glyph : token.asciiGlyph }

  /// The fill of the bar: solid, diagonal, dots or crosshatch.
  package func pattern(unicode: Bool) -> String { unicode ? token.fill : token.asciiFill }
}

/// The escape sequences for the colours of categories, cached per theme: finding a colour with sufficient contrast takes
/// 0.1 ms.
struct ColourCodes: Sendable {
  static let onLight = ColourCodes(Palette(.light))
  static let onDark = ColourCodes(Palette(.dark))
  static let highOnLight = ColourCodes(Palette(.light, highContrast: true))
  static let highOnDark = ColourCodes(Palette(.dark, highContrast: true))
  /// For an unknown background.
  static let onEither = ColourCodes(nil)

  private let colours: [StressCategory: Colour]
  private let indices: [StressCategory: Int]

  private init(_ palette: Palette?) {
    let backgrounds = palette?.backgrounds ?? [.black, .white]
    let ratio = palette?.isHighContrast == true ? Tokens.Contrast.textHigh : Tokens.Contrast.text
    let readable = StressCategory.allCases.map { category in
      (category, palette?.text(category) ?? category.token.dark.readable(on: backgrounds, ratio: ratio))
    }
    colours = Dictionary(uniqueKeysWithValues: readable)
    indices = colours.mapValues { $0.terminalIndex(on: backgrounds, ratio: ratio) }
  }

  func exact(_ category: StressCategory) -> String {
    let colour = colours[category] ?? .white
    return "38;2;\(colour.red);\(colour.green);\(colour.blue)"
  }

  func indexed(_ category: StressCategory) -> String { "38;5;\(indices[category] ?? 7)" }
}
