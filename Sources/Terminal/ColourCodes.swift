import Design
import Stress

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
