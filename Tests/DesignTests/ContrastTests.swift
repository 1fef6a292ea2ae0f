import Design
import Stress
import Testing

/// The contrast of every colour with its background, in every theme.
@Suite struct ContrastTests {
  static let palettes = [
    Palette(.light), Palette(.dark), Palette(.light, highContrast: true), Palette(.dark, highContrast: true),
  ]

  @Test("Contrast ratios equal those of WCAG") func contrastRatios() {
    #expect(Colour.black.contrast(with: .white) == 21)
    #expect(Colour.white.contrast(with: .white) == 1)
    // The original hues are not legible on white, which is why the variants exist.
    #expect((Colour(0x34C759).contrast(with: .white) * 100).rounded() == 222)
    #expect((Colour(0xFFD60A).contrast(with: .white) * 100).rounded() == 141)
  }

  @Test("Text has a contrast of 4.5, or 7 in high contrast", arguments: palettes)
  func textContrast(palette: Palette) {
    let ratio = palette.isHighContrast ? 7.0 : 4.5
    for background in palette.backgrounds {
      #expect(palette.text.contrast(with: background) >= ratio)
      #expect(palette.secondaryText.contrast(with: background) >= ratio)
      for category in StressCategory.allCases {
        #expect(
          palette.text(category).contrast(with: background) >= ratio, "\(category) on \(background.hex)")
      }
      for colour in [Tokens.Wellness.calm, .health, .gentle] {
        #expect(palette.text(colour).contrast(with: background) >= ratio)
      }
    }
  }

  @Test("Outlines have a contrast of at least 3", arguments: palettes)
  func outlineContrast(palette: Palette) {
    for background in palette.backgrounds {
      for category in StressCategory.allCases {
        #expect(palette.outline(category).contrast(with: background) >= 3, "\(category) on \(background.hex)")
      }
    }
  }

  @Test("A colour changes only as much as the required contrast demands") func minimalChange() {
    let white = [Colour.white]
    #expect(Colour(0x006000).readable(on: white, ratio: 4.5) == Colour(0x006000))
    let darker = Colour(0x34C759).readable(on: white, ratio: 4.5)
    #expect(darker.contrast(with: .white) < 4.7 && darker.green > darker.blue && darker.blue > darker.red)
    #expect(Colour(0x0A0A0A).readable(on: [.black], ratio: 22) == .white)
  }

  @Test("Hexadecimal and linear-light forms preserve a colour") func colourRoundTrip() {
    #expect(Colour(0x0A84FF).hex == "#0A84FF")
    #expect(Colour(light: Colour(0x0A84FF).light) == Colour(0x0A84FF))
  }

  @Test("Category text can be made legible on black and on white at once", arguments: StressCategory.allCases)
  func blackAndWhite(category: StressCategory) {
    let both = [Colour.black, .white]
    let colour = category.token.dark.readable(on: both, ratio: 4.5)
    #expect(both.allSatisfy { colour.contrast(with: $0) >= 4.5 })
  }

  @Test("Terminals with 256 colours get the nearest one with the required contrast") func terminalColours() {
    #expect(Colour.black.terminalIndex(on: [.white], ratio: 4.5) == 16)
    #expect(Colour(0x00D700).terminalIndex(on: [.black], ratio: 4.5) == 40)
    #expect(Colour(0xFFFFFF).terminalIndex(on: [.black], ratio: 21) == 231)
  }
}
