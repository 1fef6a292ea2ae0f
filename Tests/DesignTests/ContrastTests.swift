import Design
import Stress
import Testing

/// Every colour that is used with what it stands on, in every theme.
@Suite struct ContrastTests {
  static let palettes = [
    Palette(.light), Palette(.dark), Palette(.light, highContrast: true), Palette(.dark, highContrast: true),
  ]

  @Test func ratiosOfTheStandard() {
    #expect(Colour.black.contrast(with: .white) == 21)
    #expect(Colour.white.contrast(with: .white) == 1)
    // The hues as they are cannot be read on white: measured, and the reason for the variants.
    #expect((Colour(0x34C759).contrast(with: .white) * 100).rounded() == 222)
    #expect((Colour(0xFFD60A).contrast(with: .white) * 100).rounded() == 141)
  }

  @Test(arguments: palettes)
  func textCanBeRead(palette: Palette) {
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

  @Test(arguments: palettes)
  func outlinesCanBeSeen(palette: Palette) {
    for background in palette.backgrounds {
      for category in StressCategory.allCases {
        #expect(palette.outline(category).contrast(with: background) >= 3, "\(category) on \(background.hex)")
      }
    }
  }

  /// What can be read already stays as it is; the rest stays as near to its hue as it can.
  @Test func onlyWhatIsNeededChanges() {
    let white = [Colour.white]
    #expect(Colour(0x006000).readable(on: white, ratio: 4.5) == Colour(0x006000))
    let darker = Colour(0x34C759).readable(on: white, ratio: 4.5)
    #expect(darker.contrast(with: .white) < 4.7 && darker.green > darker.blue && darker.blue > darker.red)
    #expect(Colour(0x0A0A0A).readable(on: [.black], ratio: 22) == .white)
  }

  @Test func hexIsReadBack() {
    #expect(Colour(0x0A84FF).hex == "#0A84FF")
    #expect(Colour(light: Colour(0x0A84FF).light) == Colour(0x0A84FF))
  }

  /// Where nobody says what lies behind the text, it can be read on black and on white.
  @Test(arguments: StressCategory.allCases)
  func textDoesOnBoth(category: StressCategory) {
    let both = [Colour.black, .white]
    let colour = category.token.dark.readable(on: both, ratio: 4.5)
    #expect(both.allSatisfy { colour.contrast(with: $0) >= 4.5 })
  }

  @Test func terminalsWithFewerColoursShowTheNearest() {
    #expect(Colour.black.terminalIndex(on: [.white], ratio: 4.5) == 16)
    #expect(Colour(0x00D700).terminalIndex(on: [.black], ratio: 4.5) == 40)
    #expect(Colour(0xFFFFFF).terminalIndex(on: [.black], ratio: 21) == 231)
  }
}
